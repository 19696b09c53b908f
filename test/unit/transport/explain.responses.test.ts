import { endpoints } from '../../../nodes/Wherobots/service/endpoints';
import { describeFailed } from '../../../nodes/Wherobots/transport/explain';
import type { BadResponse } from '../../../nodes/Wherobots/transport/http';
import { failedResponse } from '../../support/failedResponse';

const described = (status: number, body?: unknown, more?: Partial<BadResponse>) =>
	describeFailed(endpoints.getRun, failedResponse(status, body, more));

const CHECK = "Check 'Base URL' in the credential: something other than Wherobots Cloud responded.";
const SECRET =
	'Check it for typos and expiry. To get a new one, open https://cloud.wherobots.com, Settings → API Keys, and enter it in the Wherobots API credential.';
const LATER = '\nTry again later.';
const IF_IT_LASTS =
	"If this persists, check 'Base URL' in the credential: this response does not look like one from Wherobots Cloud.";

describe('a response without errors in it', () => {
	it.each([
		[401, 'Wherobots Cloud did not accept the API key or token', `\n${SECRET}`],
		[403, 'This account is not permitted to do this', `\n${CHECK}`],
		[404, 'Not found at this address', `\n${CHECK}`],
		[418, 'Wherobots Cloud responded with HTTP 418', `\n${CHECK}`],
		[429, 'Wherobots Cloud is receiving too many requests', LATER],
		[499, 'Wherobots Cloud responded with HTTP 499', `\n${CHECK}`],
		[500, 'Wherobots Cloud could not process the request (HTTP 500)', LATER],
		[503, 'Wherobots Cloud could not process the request (HTTP 503)', LATER],
	])('with status %i says what that means', (status, message, advice) => {
		expect(described(status)).toEqual({
			message,
			description: `HTTP ${status} with an empty body.${advice}`,
			httpCode: String(status),
		});
	});

	it.each([
		[401, CHECK],
		[404, CHECK],
		[500, IF_IT_LASTS],
		[502, IF_IT_LASTS],
	])('with status %i and a body shows it and advises', (status, advice) => {
		expect(described(status, 'gone').description).toBe(
			`HTTP ${status} with this body: gone\n${advice}`,
		);
	});

	it.each([
		['by its type', 'Sign in', 'text/HTML'],
		['by a tag', '<html><p>Sign in</p>', ''],
		['by its doctype', ' <!DOCTYPE html>Sign in', ''],
	])('knows a web page %s', (_, text, contentType) => {
		expect(describeFailed(endpoints.getRun, failedResponse(200, text, { contentType }))).toEqual({
			message: 'Wherobots Cloud returned an unexpected response',
			description: `HTTP 200 with a web page: Sign in\n${CHECK}`,
			httpCode: '200',
		});
	});

	it('says who may do it when nobody else does', () => {
		const refused = describeFailed(endpoints.queryAuditLog, failedResponse(403));
		expect(refused.description).toBe(
			`HTTP 403 with an empty body.\n${endpoints.queryAuditLog.permission}.\n${CHECK}`,
		);
		expect(describeFailed(endpoints.queryAuditLog, failedResponse(404)).description).not.toContain(
			'admin',
		);
	});
});

describe('a redirect', () => {
	it.each([300, 302, 399])('with status %i is one of the address', (status) => {
		const location = 'https://elsewhere';
		expect(described(status, '', { location })).toEqual({
			message: 'The base URL redirects to another address',
			description:
				"It points to https://elsewhere.\nThe key was not sent there. Set 'Base URL' in the credential to the final address.",
			httpCode: String(status),
		});
		expect(described(status).description).toMatch(/^The key was not sent there\./);
	});
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

	it('come with everything that they say, and what is for support among the facts', () => {
		expect(described(404, { errors: [error], requestId: 'q1' })).toEqual({
			message: 'Run is gone',
			description: [
				'It was deleted.',
				'Field: run_id',
				'Check the ID.',
				'Documentation: https://docs',
			].join('\n'),
			httpCode: '404',
			codes: ['NOT_FOUND_ERROR'],
			errors: [error],
			requestId: 'q1',
			places: ['path.run_id', 'run_id'],
		});
	});

	it('have the request ID of the header where the body has none, as behind a gateway', () => {
		const of = (body: unknown) =>
			describeFailed(endpoints.getRun, failedResponse(502, body, { requestId: 'q2' }));
		for (const body of ['<html>Bad gateway</html>', { detail: 'Bad gateway' }, '']) {
			expect(of(body).requestId).toBe('q2');
		}
		expect(of({ errors: [error], requestId: 'q1' }).requestId).toBe('q1');
	});

	it.each([
		[400, 'Bad request', "Region 'moon' is not available.", 'Check the values of this node.'],
		[422, 'Validation error', 'Must be an integer', 'Check the values of this node.'],
		[
			403,
			'Insufficient permissions',
			"'/data' is read-only.",
			'Choose another key under Credential, or ask an organization admin for one.',
		],
		[404, 'Not found', 'The metadata file of the table is missing.', 'Check the ID, name or path.'],
	])(
		'with status %i and a message that only repeats it have the details and one next step',
		(status, message, details, description) => {
			const suggestion = 'Contact us at support@example.com to get help with this error.';
			const failure = described(status, { errors: [{ message, details, suggestion }] });
			expect(failure).toMatchObject({ message: details.replace(/\.$/, ''), description });
			expect(failure.errors).toEqual([{ message, details, suggestion }]);
		},
	);

	it('with a conflict that explains itself say no more, and else what to check', () => {
		const of = (details?: string) =>
			described(409, { errors: [{ message: 'Conflict', details }] }).description;
		expect(of('The run has already ended.')).toBe('');
		expect(of()).toBe('Check what there is already.');
	});

	it('about an edition say that another one is needed, not another key of the organization', () => {
		const body = { errors: [{ message: 'Forbidden' }] };
		const { description } = describeFailed(endpoints.createRun, failedResponse(403, body));
		expect(description).toContain('Ask an organization admin about its edition');
	});

	it('keep the message where there is nothing else, and the support where it is not the user', () => {
		expect(described(422, { errors: [{ message: 'Validation error' }] }).message).toBe(
			'Validation error',
		);
		const suggestion = 'Contact us at support@example.com.';
		const errors = [{ message: 'Internal error', suggestion }];
		expect(described(500, { errors }).description).toBe(suggestion);
		expect(described(422, { errors: [{ suggestion: 'Shorten it.' }] }).description).toBe(
			'Shorten it.',
		);
	});

	it.each([
		[
			'getRun',
			'Run',
			'job run with this ID',
			'Choose a job run from the list, or enter its ID, not its name. Task runs are another resource.',
		],
		[
			'getTaskRun',
			'Task run',
			'task run with this ID',
			'Choose a task run from the list, or enter its ID, not its name. Job runs are another resource.',
		],
		['revokeApiKey', 'API key', 'API key with this ID', 'Choose one from the list.'],
		['getTask', 'Task', 'task with this name', 'Choose one from the list.'],
		['getTable', 'Table', 'table with this name', 'Choose one from the list.'],
		['getTable', 'Catalog', 'catalog with this ID', 'Choose one from the list.'],
	] as const)(
		'that something does not exist say once what, and what to do: %s, %s',
		(id, what, record, advice) => {
			const message = `There is no ${record}`;
			const missing = {
				message: `${what} not found`,
				details: `There is no ${what.toLowerCase()} 'x'.`,
			};
			expect(
				describeFailed(endpoints[id], failedResponse(404, { errors: [missing] })),
			).toMatchObject({ message, description: advice, errors: [missing] });
		},
	);

	it('that something else does not exist keep their words', () => {
		const errors = [
			{ message: 'Metrics of run not found', details: "There is no metrics of run 'x'." },
		];
		expect(described(404, { errors })).toMatchObject({ message: 'Metrics of run not found' });
		const path = { message: 'Path not found', details: "There is no path '/runs'." };
		expect(
			describeFailed(endpoints.listRuns, failedResponse(404, { errors: [path] })).message,
		).toBe('Path not found');
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
		const failure = described(422, { errors: [error, other, null, 'text', other] });
		expect(failure.message).toBe('Run is gone (and 1 more)');
		expect(failure.description?.split('\n')).toEqual([
			'1. Run is gone',
			'It was deleted.',
			'Field: run_id',
			'Check the ID.',
			'Documentation: https://docs',
			'2. Name is too short',
		]);
		expect(failure.codes).toEqual(['NOT_FOUND_ERROR', 'VALIDATION_ERROR', 'VALIDATION_ERROR']);
		expect(failure.requestId).toBeUndefined();
	});

	it.each([
		['Quota exceeded', 'Quota exceeded.', ''],
		['quota exceeded.', 'Quota Exceeded', 'QUOTA EXCEEDED.'],
		['', '', 'Quota exceeded'],
	])('say the same once: %j, %j, %j', (message, details, suggestion) => {
		const failure = described(400, { errors: [{ message, details, suggestion }] });
		expect(`${failure.message} ${failure.description}`.match(/quota/gi)).toHaveLength(1);
	});

	it('are all counted, and kept as they came', () => {
		const details = { allowed: ['small', 7] };
		const errors = Array.from({ length: 25 }, (_, index) => ({ message: `No ${index}`, details }));
		const failure = described(400, { errors });
		expect(failure.message).toBe('No 0 (and 24 more)');
		expect(failure.errors?.[0]).toEqual({ message: 'No 0', details: '{"allowed":["small",7]}' });
	});

	it.each(['errors', 'detail'])('may be texts (%s)', (name) => {
		expect(described(422, { [name]: ['Region unknown', 'Too long'] })).toMatchObject({
			message: 'Region unknown (and 1 more)',
			description: '1. Region unknown\n2. Too long\nCheck the values of this node.',
		});
	});

	it('about the key keep their words in the description', () => {
		const failure = described(401, { errors: [{ message: 'Key revoked' }] });
		expect(failure.message).toBe('Wherobots Cloud did not accept the API key or token');
		expect(failure.description).toBe(`Key revoked\n${SECRET}`);
	});

	it('without words have those of the status', () => {
		expect(described(403, { errors: [{}] }).message).toBe(
			'This account is not permitted to do this',
		);
		expect(described(422, { errors: [{ message: {} }] }).message).toBe(
			'Wherobots Cloud responded with HTTP 422',
		);
	});

	it('have who may do it as their headline, with 403 alone, and nothing twice', () => {
		const details = 'Only an organization Admin may do this.';
		const body = { errors: [{ message: 'Insufficient permissions', details }] };
		const { permission } = endpoints.queryAuditLog;
		const of = (status: number) =>
			describeFailed(endpoints.queryAuditLog, failedResponse(status, body));
		const advice = 'Choose another key under Credential, or ask an organization admin for one.';
		expect(of(403)).toMatchObject({ message: permission, description: advice });
		expect(of(409)).toMatchObject({ message: details.slice(0, -1) });
		expect(described(403, { errors: [{ message: 'Forbidden' }] })).toMatchObject({
			message: 'This account is not permitted to do this',
			description: advice,
		});
	});

	it('with 403 keep what the service says itself, beside the documented permission', () => {
		const body = {
			errors: [{ message: 'Your role may not create runs', suggestion: 'Ask Maria.' }],
		};
		const { permission } = endpoints.createRun;
		expect(describeFailed(endpoints.createRun, failedResponse(403, body))).toMatchObject({
			message: 'Your role may not create runs',
			description: `Ask Maria.\n${permission}.`,
		});
	});

	it('are shown up to a length, the others counted', () => {
		const errors = Array.from({ length: 30 }, (_, index) => ({
			message: `Problem ${index}`,
			code: `C${index}`,
			field: `f${index}`,
			details: 'x'.repeat(480),
		}));
		const { description, codes, places } = described(422, { errors });
		expect(description).toMatch(
			/\n6\. Problem 5\n.*\n.*\n[^]*…\n… and 10 more\.\nCheck the values of this node\.$/,
		);
		expect(codes).toHaveLength(20);
		expect(places).toHaveLength(20);
	});
});

describe('errors of a framework', () => {
	it.each([
		['a detail', { detail: 'Not here' }, 'Not here'],
		['a message', { message: 'Not here', detail: 7 }, 'Not here'],
	])('in %s', (_, body, message) => {
		expect(described(404, body)).toMatchObject({ message, description: CHECK, codes: [] });
		expect(described(422, body).description).toBe('Check the values of this node.');
	});

	it('in a list of details', () => {
		const detail = [
			{ msg: 'Field required', loc: ['body', 'name'] },
			{ msg: 'Too long', loc: 'x' },
			'text',
		];
		expect(described(422, { detail })).toMatchObject({
			message: 'Field required (and 1 more)',
			description:
				'1. Field required\nField: body.name\n2. Too long\nCheck the values of this node.',
			places: ['body.name'],
		});
	});

	it.each(['[1]', 'null', '7', '{"message":7}', '{broken'])('are not in %s', (text) => {
		expect(described(422, text)).toEqual({
			message: 'Wherobots Cloud responded with HTTP 422',
			description: `HTTP 422 with this body: ${text}\n${CHECK}`,
			httpCode: '422',
		});
	});

	it('are not what is no record in a list of details', () => {
		const detail = [null, 'text', { msg: 'Field required' }];
		expect(described(422, { detail })).toMatchObject({
			message: 'Field required',
			description: 'Check the values of this node.',
		});
	});
});
