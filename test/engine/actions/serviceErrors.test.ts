/** What a person reads when the service refuses a request, and what to do next. */
import { suiteWithSharedSandbox } from '../harness/suite';

const suite = suiteWithSharedSandbox({ seed: 'empty' });

const getMany = { resource: 'jobRun', operation: 'getAll' };
const SUPPORT = 'Contact us at support@example.com to get help with resolving your error.';

/** The error of a node whose request gets this response. */
async function refused(status: number, body: object) {
	suite.fails('listRuns', { kind: 'replace', status, body: JSON.stringify(body) });
	const { error } = await suite.run(getMany);
	return { message: error?.message, description: error?.description ?? '' };
}

const withError = (error: object) => ({ errors: [error], requestId: 'q1' });

describe('an error of the service', () => {
	it.each([
		[`Shorten it. ${SUPPORT}`, 'Shorten it.'],
		[`Ask Maria. Please update your request and try again.`, 'Ask Maria.'],
		[
			'Ask support@example.com for a larger region.',
			'Ask support@example.com for a larger region.',
		],
		[SUPPORT, 'Check the values of this node.'],
	])(
		'keeps what it suggests, except for the general sentence about support: %s',
		async (suggestion, shown) => {
			const body = withError({ message: 'Too long', suggestion });
			expect(await refused(422, body)).toEqual({ message: 'Too long', description: shown });
		},
	);

	it.each(['INSUFFICIENT_QUOTA_ERROR', 'ACCOUNT_NOT_PROVISIONED', 'THIRD_PARTY_PERMISSIONS_ERROR'])(
		'that no value or key mends leads to support: %s',
		async (code) => {
			for (const status of [400, 403]) {
				const body = withError({ code, message: 'Not possible', suggestion: SUPPORT });
				const { message, description } = await refused(status, body);
				expect(message).toBe('Not possible');
				expect(description).toContain(SUPPORT);
				expect(description).not.toMatch(/Check the values|Choose another key/);
				expect((await refused(status, withError({ code, message: 'No' }))).description).not.toMatch(
					/Check the values|Choose another key/,
				);
			}
		},
	);

	it.each([402, 405, 406, 410, 413, 415, 451])(
		'with status %i, which is not about a value, does not ask to check the values',
		async (status) => {
			expect(await refused(status, withError({ message: 'No' }))).toEqual({
				message: 'No',
				description: '',
			});
		},
	);

	it.each([
		{ error: 'Region is closed' },
		{ error: 'invalid_request', message: 'Region is closed' },
		{ error: { code: 'CLOSED', message: 'Region is closed' } },
		{ detail: { msg: 'Region is closed', loc: ['query', 'region'] } },
		{ detail: { error: 'Region is closed' } },
	])('is shown, and the base URL not blamed: %j', async (body) => {
		expect(await refused(422, body)).toEqual({
			message: expect.stringMatching(/Region is closed$/),
			description: 'Check the values of this node.',
		});
	});

	it('in a form that nobody knows is shown as it is', async () => {
		const { message } = await refused(422, { detail: { limit: 5, used: 7 } });
		expect(message).toBe('{"limit":5,"used":7}');
	});
});
