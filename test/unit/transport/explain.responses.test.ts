import { endpoints } from '../../../nodes/Wherobots/service/endpoints';
import { describeFailed as describeParts } from '../../../nodes/Wherobots/transport/explain';
import type { BadResponse } from '../../../nodes/Wherobots/transport/http';
import { asRead } from '../../support/asRead';
import { failedResponse } from '../../support/failedResponse';

const describeFailed = (...given: Parameters<typeof describeParts>) =>
	asRead(describeParts(...given));

const described = (status: number, body?: unknown, more?: Partial<BadResponse>) =>
	describeFailed(endpoints.getRun, failedResponse(status, body, more));

const CHECK = "Check 'Base URL' in the credential: something other than Wherobots Cloud responded.";
const CHECK_VALUES = 'Check the values of this node.';
const CHOOSE_KEY = 'Select a credential with another key, or ask an organization admin for one.';
const SECRET =
	'Check the key or token for typos and expiry. To get a new one, open https://cloud.wherobots.com, Settings → API Keys, and enter it in the Wherobots API credential.';
const LATER = 'Try again later.';
const IF_IT_LASTS =
	"If this persists, check 'Base URL' in the credential: this response does not look like one from Wherobots Cloud.";

const NO_KEY = 'Wherobots Cloud did not accept the API key or token';
const NOT_PERMITTED = 'This account is not permitted to do this';

describe('a response without errors in it', () => {
	it.each([
		[401, NO_KEY, SECRET, CHECK],
		[403, NOT_PERMITTED, CHECK, CHECK],
		[404, 'Not found at this address', CHECK, CHECK],
		[418, 'Wherobots Cloud responded with HTTP 418', CHECK, CHECK],
		[429, 'Wherobots Cloud is receiving too many requests', LATER, LATER],
		[500, 'Wherobots Cloud could not process the request (HTTP 500)', LATER, IF_IT_LASTS],
	])('with status %i says what that means, and shows its body', (status, message, empty, full) => {
		expect(described(status)).toEqual({
			message,
			description: `HTTP ${status} with an empty body.\n${empty}`,
			httpCode: String(status),
		});
		expect(described(status, 'gone')).toMatchObject({
			message,
			description: `HTTP ${status} with this body: gone\n${full}`,
		});
	});

	it.each([
		['by its type', 'Sign in', 'text/HTML'],
		['by a tag', '<html><p>Sign in</p>', ''],
		['by its doctype', ' <!DOCTYPE html>Sign in', ''],
	])('knows a web page %s', (_, text, contentType) => {
		expect(described(200, text, { contentType })).toEqual({
			message: 'Wherobots Cloud returned an unexpected response',
			description: `HTTP 200 with a web page: Sign in\n${CHECK}`,
			httpCode: '200',
		});
	});
});

it.each([300, 399])('a redirect with status %i is one of the address', (status) => {
	expect(described(status, '', { location: 'https://elsewhere' })).toEqual({
		message: 'The base URL redirects to another address',
		description:
			"It points to https://elsewhere.\nThe key was not sent there.\nSet 'Base URL' in the credential to the final address.",
		httpCode: String(status),
	});
	expect(described(status).description).toMatch(/^The key was not sent there\./);
});

describe('errors of the service', () => {
	const error = {
		code: 'NOT_FOUND_ERROR',
		message: 'Run is gone',
		details: 'It was deleted.',
		path: 'path.run_id',
		field: 'run_id',
		suggestion: 'Check the ID.',
		documentation_url: 'https://docs',
	};
	const ADVICE = 'It was deleted.\nField: run_id\nCheck the ID.\nDocumentation: https://docs';

	it('do not read as if n8n had failed where they only repeat the status', () => {
		const body = JSON.stringify({ errors: [{ message: 'Internal server error.' }] });
		expect(described(500, body).message).toBe(
			'Wherobots Cloud could not process the request (HTTP 500)',
		);
	});

	it('come with everything that they say, and what is for support among the facts', () => {
		expect(described(404, { errors: [error], requestId: 'q1' })).toEqual({
			message: 'Run is gone',
			description: ADVICE,
			httpCode: '404',
			codes: ['NOT_FOUND_ERROR'],
			errors: [error],
			requestId: 'q1',
			places: ['path.run_id', 'run_id'],
		});
	});

	it('have the request ID of the header where the body has none, as behind a gateway', () => {
		const of = (body: unknown) => described(502, body, { requestId: 'q2' }).requestId;
		for (const body of ['<html>Bad gateway</html>', { detail: 'Bad gateway' }, '']) {
			expect(of(body)).toBe('q2');
		}
		expect(of({ errors: [error], requestId: 'q1' })).toBe('q1');
	});

	const SUPPORT = 'Contact us at support@example.com to get help with this error.';
	const ADMIN = 'Only an organization Admin may do this.';
	const CHECK_ID = 'Check the ID, name or path.';
	const EXISTS = 'Check whether something with this name or ID already exists.';
	const NO_RUN = 'There is no job run with this ID';
	const NO_CATALOG = 'There is no catalog with this ID';
	const NO_TABLE = 'There is no table with this name';
	const IN_USE = 'First change or delete whatever uses it.';
	const CHOOSE_TABLE =
		'Choose one from the list, or enter its name alone, exactly as listed. Views are read with View: Get or SQL: Execute Query.';
	const CHOOSE = 'Choose one from the list, or enter its ID, not its name.';
	const CHOOSE_RUN = `${CHOOSE} If it is the ID of a task run, use the resource Task Run.`;
	const NOT_FOUND = 'Not found at this address';
	const CHECK_ADDRESS =
		"Check 'Base URL' in the credential: it usually ends with the host, without a path.";
	const EDITION =
		"Ask an organization admin about the organization's edition, or select a credential of another organization.";
	const { permission: edition = '' } = endpoints.createRun;
	const { permission: admin = '' } = endpoints.queryAuditLog;
	const { permission: both = '' } = endpoints.exportAuditLog;
	const ADMIN_KEY =
		"Select a credential with an organization admin's key. If it already has one, ask the admin about the organization's edition.";

	/** A row: what the service says, and what is shown of it. */
	type Row = [keyof typeof endpoints, number, unknown, string, title: string, advice: string];

	it.each<Row>([
		['getRun', 400, 'Bad request', 'Region is closed.', 'Region is closed', CHECK_VALUES],
		['getRun', 403, 'Insufficient permissions', 'Only to read.', 'Only to read', CHOOSE_KEY],
		['getRun', 404, 'Not found', 'Its metadata is missing.', 'Its metadata is missing', CHECK_ID],
		['getRun', 409, 'Conflict', 'The run has ended.', 'The run has ended', ''],
		['getRun', 409, 'Conflict', '', 'Conflict', EXISTS],
		['getRun', 422, 'Validation error', '', 'Validation error', CHECK_VALUES],
		['getRun', 500, 'Internal error', '', 'Internal error', SUPPORT],
		['getRun', 401, 'Key revoked', '', NO_KEY, `Key revoked\n${SECRET}`],
		['getRun', 403, 'Forbidden', '', NOT_PERMITTED, CHOOSE_KEY],
		['getRun', 403, undefined, '', NOT_PERMITTED, CHOOSE_KEY],
		['getRun', 422, {}, '', 'Wherobots Cloud responded with HTTP 422', CHECK_VALUES],
		['queryAuditLog', 403, 'Insufficient permissions', ADMIN, admin, CHOOSE_KEY],
		['queryAuditLog', 409, 'Insufficient permissions', ADMIN, ADMIN.slice(0, -1), ''],
		['createRun', 403, 'Forbidden', '', edition, EDITION],
		['exportAuditLog', 403, 'Insufficient permissions', ADMIN, both, ADMIN_KEY],
		['createRun', 403, 'Not in your role', '', 'Not in your role', `${edition}.\n${CHOOSE_KEY}`],
		['getRun', 404, 'Run not found', "There is no run 'x'.", NO_RUN, CHOOSE_RUN],
		['getTable', 404, 'Catalog not found', "There is no catalog 'x'.", NO_CATALOG, CHOOSE],
		['getTable', 404, 'Table not found', '', NO_TABLE, CHOOSE_TABLE],
		['getRun', 404, 'Metrics of run not found', '', 'Metrics of run not found', CHECK_ID],
		['listRuns', 404, 'Run not found', "There is no run 'runs'.", NOT_FOUND, CHECK_ADDRESS],
		['listRuns', 404, 'No route', '', 'No route', CHECK_ID],
		['createRun', 404, 'Region not found', '', 'Region not found', CHECK_ID],
		['deleteCloudConnection', 409, 'Conflict', 'It is in use by: a', 'It is in use by: a', IN_USE],
	])(
		'of %s with status %i say what is wrong and what to do: %j, %j',
		(id, status, message, details, title, description) => {
			const errors = [{ message, details, suggestion: SUPPORT }];
			const failure = describeFailed(endpoints[id], failedResponse(status, { errors }));
			expect(failure).toMatchObject({ message: title, description });
		},
	);

	const GENERAL = 'Contact us at support@example.com to get help with resolving your error.';
	const ASK = 'Ask support@example.com for a larger region.';

	it.each([
		['Shorten it.', 'Shorten it.'],
		[`Shorten it. ${GENERAL}`, 'Shorten it.'],
		['Ask Maria. Please update your request and try again.', 'Ask Maria.'],
		[ASK, ASK],
		[GENERAL, CHECK_VALUES],
	])(
		'have the next step that the service suggests, without its general sentences: %s',
		(...each) => {
			const [suggestion, description] = each;
			const failure = described(422, { errors: [{ message: 'Too long', suggestion }] });
			expect(failure).toMatchObject({ message: 'Too long', description });
		},
	);

	it.each(['INSUFFICIENT_QUOTA_ERROR', 'ACCOUNT_NOT_PROVISIONED', 'THIRD_PARTY_PERMISSIONS_ERROR'])(
		'that no value or key mends lead to support: %s',
		(code) => {
			for (const status of [400, 403]) {
				const saying = (suggestion?: string) =>
					described(status, { errors: [{ code, message: 'Not possible', suggestion }] });
				expect(saying(GENERAL).message).toBe('Not possible');
				expect(saying(GENERAL).description).toContain(GENERAL);
				for (const { description } of [saying(GENERAL), saying()]) {
					expect(description).not.toMatch(/Check the values|Select a credential/);
				}
			}
		},
	);

	it.each([402, 405, 406, 410, 413, 415, 451])(
		'with status %i, which is not about a value, do not ask to check the values',
		(status) => {
			const failure = described(status, { errors: [{ message: 'No' }] });
			expect(failure).toMatchObject({ message: 'No', description: '' });
		},
	);

	it.each([
		['Busy', 'Try again later.', 'Busy'],
		['Busy. Please try again later', 'Please retry in a few minutes.', 'Busy'],
	])('say once to try again later: %j, %j', (message, suggestion, title) => {
		const failure = described(503, { errors: [{ message, suggestion }] });
		expect(failure).toMatchObject({ message: title, description: LATER });
	});

	it('of a quota do not tell of a permission', () => {
		const quota = { code: 'INSUFFICIENT_QUOTA_ERROR', message: 'Quota exceeded' };
		const failure = describeFailed(endpoints.createRun, failedResponse(403, { errors: [quota] }));
		expect(failure).toMatchObject({ message: 'Quota exceeded', description: '' });
	});

	it('with status 404 about a value do not say that the record is missing', () => {
		const errors = [{ message: 'Region not found', field: 'query.region' }];
		expect(described(404, { errors })).toMatchObject({
			message: 'Region not found',
			description: `Field: query.region\n${CHECK_ID}`,
		});
	});

	it('whose path is the address of the request name no field by it', () => {
		const errors = [
			{ ...error, path: '/files/a.name', field: null },
			{ ...error, path: '/runs', field: 'runtime' },
		];
		expect(described(422, { errors }).places).toEqual(['runtime']);
	});

	it('are numbered when there are several, and repeated ones are counted once', () => {
		const other = { message: 'Name is too short', code: 'VALIDATION_ERROR' };
		expect(described(422, { errors: [error, other, null, 'text', other] })).toMatchObject({
			message: 'Run is gone (and 1 more)',
			description: `1. Run is gone\n${ADVICE}\n2. Name is too short`,
			codes: ['NOT_FOUND_ERROR', 'VALIDATION_ERROR', 'VALIDATION_ERROR'],
		});
	});

	it.each([
		['Quota exceeded', 'Quota exceeded.', ''],
		['quota exceeded.', 'Quota Exceeded', 'QUOTA EXCEEDED.'],
		['', '', 'Quota exceeded'],
	])('say the same once: %j, %j, %j', (message, details, suggestion) => {
		const failure = described(400, { errors: [{ message, details, suggestion }] });
		expect(`${failure.message} ${failure.description}`.match(/quota/gi)).toHaveLength(1);
	});

	it('are shown up to a length, the others counted, and kept as they came', () => {
		const errors = Array.from({ length: 30 }, (_, index) => ({
			...{ message: `Problem ${index}`, code: `C${index}`, field: `f${index}` },
			...{ details: 'x'.repeat(480), allowed: ['small', 7] },
		}));
		const failure = described(422, { errors });
		expect(failure.message).toBe('Problem 0 (and 29 more)');
		expect(failure.description).toMatch(
			/\n6\. Problem 5\n[^]*…\n… and 10 more\.\nCheck the values of this node\.$/,
		);
		expect([failure.codes, failure.places]).toMatchObject([{ length: 20 }, { length: 20 }]);
		expect(failure.errors?.[0].allowed).toBe('["small",7]');
	});
});

describe('errors of a framework', () => {
	it.each<[string, object, string, string, string[]?]>([
		['a detail', { detail: 'Not here' }, 'Not here', CHECK_VALUES],
		['a message', { message: 'Not here', detail: 7 }, 'Not here', CHECK_VALUES],
		[
			'a list of details',
			{
				detail: [
					{ msg: 'Field required', loc: ['body', 'name'] },
					{ msg: 'Too long', loc: 'x' },
					'text',
				],
			},
			'Field required (and 1 more)',
			`1. Field required\nField: body.name\n2. Too long\n${CHECK_VALUES}`,
			['body.name'],
		],
		...['errors', 'detail'].map((name): [string, object, string, string] => [
			`texts (${name})`,
			{ [name]: ['Region unknown', 'Too long'] },
			'Region unknown (and 1 more)',
			`1. Region unknown\n2. Too long\n${CHECK_VALUES}`,
		]),
	])('are in %s', (_, body, message, description, places = []) => {
		expect(described(422, body)).toMatchObject({ message, description, places });
	});

	it.each([
		{ error: 'Region is closed' },
		{ error: 'invalid_request', message: 'Region is closed' },
		{ error: { code: 'CLOSED', message: 'Region is closed' } },
		{ detail: { msg: 'Region is closed', loc: ['query', 'region'] } },
		{ detail: { error: 'Region is closed' } },
	])('are shown, and the base URL not blamed: %j', (body) => {
		expect(described(422, body)).toMatchObject({
			message: expect.stringMatching(/Region is closed$/),
			description: CHECK_VALUES,
		});
	});

	it('in a form that nobody knows are shown as they are', () => {
		expect(described(422, { detail: { limit: 5, used: 7 } }).message).toBe('{"limit":5,"used":7}');
	});

	it('with status 404 may be those of another service', () => {
		expect(described(404, { detail: 'Not here' }).description).toBe(CHECK);
	});

	it.each(['[1]', 'null', '7', '{"message":7}', '{broken'])('are not in %s', (text) => {
		expect(described(422, text)).toEqual({
			message: 'Wherobots Cloud responded with HTTP 422',
			description: `HTTP 422 with this body: ${text}\n${CHECK}`,
			httpCode: '422',
		});
	});
});

describe('a secret beside the explanation, which only its name tells', () => {
	it.each([
		['in an error', { errors: [{ code: 'X', message: 'Failed', secretKey: 'SECRET' }] }],
		['inside of its details', { errors: [{ message: 'Failed', details: { token: 'SECRET' } }] }],
		['in an error of another form', { error: { reason: 'Failed', password: 'SECRET' } }],
	])('%s is not shown', (_, body) => {
		const failed = JSON.stringify(described(400, body));
		expect(failed).toContain('Failed');
		expect(failed).not.toContain('SECRET');
	});

	it.each([
		['an object', '{"reason": "Failed", "connection": {"password": "SECRET"}}'],
		['a list', '[{"password" : "SECRET"}]'],
		['cut off', '{"reason": "Failed", "password": "SECRET", "re'],
	])('hides a body without an explanation: %s', (_, body) => {
		expect(described(400, body).description).toContain(
			'with this body: (not shown, because it may contain a secret)',
		);
	});

	it('an error nested too deeply to be shown is an error nevertheless', () => {
		const body = `{"error":${'{"deep":'.repeat(20_000)}1${'}'.repeat(20_001)}`;
		expect(described(400, body)).toMatchObject({ message: '(nested too deeply)', httpCode: '400' });
	});
});
