/** What holds for every request, and what an account says about itself. */
import { errorsOf, isOk, ok, outcomeOf, recordOf } from '../api';
import { found, NotChecked, verify, type Guess } from '../guess';
import { text, type Live } from '../context';
import { fieldsOf, isRecord, kindOf, recordsIn } from '../shape';

/** A request that is wrong in one value. */
const refused = async ({ api }: Live) => await api.get('/runs', { query: { size: '100000' } });

/** Pages of a run that public code names. */
const CONSOLE_PATHS = ['/job-runs/{id}', '/jobs/{id}', '/runs/{id}'];

export const requestGuesses: Guess[] = [
	{
		name: 'date-header',
		area: 'Every request',
		assumed: "Responses have a `Date` header, the service's clock.",
		matters: 'Trigger; Export; Wait for Completion',
		code: 'nodes/Wherobots/transport/client.ts',
		async check({ api }) {
			const { headers } = await api.get('/organization');
			const date = headers.get('date');
			verify(date !== null, 'no Date header');
			verify(!Number.isNaN(Date.parse(date)), 'a Date header that is no date');
			return 'a Date header';
		},
	},
	{
		name: 'request-id-header',
		area: 'Every request',
		assumed: 'The `X-Request-Id` header has the request ID, the same as in the body of an error.',
		matters: 'Every error',
		code: 'nodes/Wherobots/transport/explain.ts',
		async check(live) {
			const { headers, json } = await refused(live);
			const id = headers.get('x-request-id');
			verify(id !== null, 'no X-Request-Id header');
			const inBody = isRecord(json) ? json.requestId : undefined;
			verify(inBody === id, `another one in the body: ${kindOf(inBody)}`);
			return 'the same in both';
		},
	},
	{
		name: 'error-body',
		area: 'Every request',
		assumed: 'A refused request is answered by 400 or 422 with `errors` and `requestId`.',
		matters: 'Every error',
		code: 'nodes/Wherobots/transport/explain.ts',
		async check(live) {
			const answer = await refused(live);
			verify(!isOk(answer), 'a page size of 100,000 is accepted');
			const [error] = errorsOf(answer);
			verify([400, 422].includes(answer.status) && error !== undefined, outcomeOf(answer));
			return `${answer.status}, with ${fieldsOf(error)}`;
		},
	},
	{
		name: 'error-path',
		area: 'Every request',
		assumed: "The `path` of an error entry is the request's route, not the name of a field.",
		matters: 'Every error: which field is named',
		code: 'nodes/Wherobots/transport/explain.ts',
		async check(live) {
			const [error] = errorsOf(await refused(live));
			const path = found(error?.path, 'the error has no path');
			verify(
				text(path).startsWith('/'),
				`path is ${String(path)}, and field ${String(error.field)}`,
			);
			return `a route; field is ${kindOf(error.field)}`;
		},
	},
	{
		name: 'unknown-parameters',
		area: 'Every request',
		assumed: 'Query parameters that the service does not know are ignored.',
		matters: 'Every operation, where a deployment is older',
		code: 'nodes/Wherobots/service/endpoints.ts',
		async check({ api }) {
			ok(await api.get('/runs', { query: { size: '1', no_such_parameter: '1' } }));
			return 'ignored';
		},
	},
	{
		name: 'users-me',
		area: 'Every request',
		assumed: '`GET /users/me` returns whose key it is, with `id` and `email`.',
		matters: 'Which job runs are one’s own',
		code: 'nodes/Wherobots/service/endpoints.ts',
		async check({ api }) {
			const me = recordOf(await api.get('/users/me'));
			verify('id' in me && 'email' in me, `fields ${fieldsOf(me)}`);
			return `fields ${fieldsOf(me)}`;
		},
	},
	{
		name: 'organization-defaults',
		area: 'Every request',
		assumed:
			'`GET /organization` has `allowedRegions`, `defaultRegion` and `defaultRuntime`, readable with any key.',
		matters: 'Region and Runtime, with Organization Default',
		code: 'nodes/Wherobots/methods/lists.ts',
		async check({ api }) {
			const organization = recordOf(await api.get('/organization'));
			const { allowedRegions, defaultRegion, defaultRuntime } = organization;
			const seen = `allowedRegions ${kindOf(allowedRegions)}, defaultRegion ${kindOf(defaultRegion)}, defaultRuntime ${kindOf(defaultRuntime)}`;
			verify(Array.isArray(allowedRegions), seen);
			verify(
				[defaultRegion, defaultRuntime].every((each) => text(each) !== ''),
				seen,
			);
			return seen;
		},
	},
	{
		name: 'runtime-hints',
		area: 'Every request',
		assumed: '`GET /me/jupyter/lab/config-hint` lists runtimes with `id` and `enabled`.',
		matters: 'The list of Runtime',
		code: 'nodes/Wherobots/methods/lists.ts',
		async check({ api }) {
			const { runtimes } = recordOf(await api.get('/me/jupyter/lab/config-hint'));
			const [first] = recordsIn(runtimes, 'hint');
			verify(first !== undefined, `runtimes is ${kindOf(runtimes)}`);
			verify('id' in first && 'enabled' in first, `fields ${fieldsOf(first)}`);
			return `fields ${fieldsOf(first)}`;
		},
	},
	{
		name: 'description-without-key',
		area: 'Every request',
		assumed: '`GET /openapi.json` needs no key.',
		matters: 'Task Run: Create',
		code: 'nodes/Wherobots/useCases/runs/taskRuns.ts',
		async check({ api }) {
			const answer = await api.send('GET', '/openapi.json', { anonymous: true });
			verify(answer.status !== 401 && answer.status !== 403, outcomeOf(answer));
			recordOf(answer);
			return 'readable without a key';
		},
	},
	{
		name: 'console-run-page',
		area: 'Every request',
		assumed: 'The address of a job run’s page in the console is not known, so nodes return none.',
		matters: 'Job Run: Create, Get; Trigger',
		code: 'nodes/Wherobots/service/records/jobRun.ts',
		async check(live) {
			const { hostname } = new URL(live.api.options.baseUrl);
			const isKnown = hostname.startsWith('api.');
			found(isKnown || undefined, 'only where the base URL begins with api.');
			const [run] = await live.runs();
			const origin = `https://${hostname.slice('api.'.length)}`;
			const statusOf = async (path: string) => {
				const { signal } = live.api.options;
				return (await fetch(origin + path, { redirect: 'manual', signal })).status;
			};
			const missing = await statusOf('/no-such-page-of-the-console/1');
			for (const path of CONSOLE_PATHS) {
				const id = text(found(run, 'no job run').id);
				const status = await statusOf(path.replace('{id}', encodeURIComponent(id)));
				verify(status === missing, `${path} exists: ${status} instead of ${missing}`);
			}
			throw new NotChecked(
				'the console answers every address alike; please open a job run there and add the path of its page',
			);
		},
	},
];
