/** Tasks and their runs. Nothing is run. */
import { findRunPath } from '../../../nodes/Wherobots/service/runs/taskRuns';
import { ok, recordOf } from '../api';
import { found, verify, type Guess } from '../guess';
import { text, type Live } from '../context';
import { fieldsOf, isRecord, kindOf, recordsIn, type Json } from '../shape';

const INPUT_SCHEMAS = ['inputSchema', 'input_schema', 'inputs', 'schema'];

const taskRuns = async ({ api }: Live) =>
	recordsIn(recordOf(await api.get('/task-runs', { query: { limit: '100' } })));

const ended = async (live: Live) =>
	found(
		(await taskRuns(live)).find(({ state }) => state === 'SUCCEEDED' || state === 'FAILED'),
		'no task run has ended yet',
	);

const someTask = async ({ api }: Live): Promise<Json> => {
	const [task] = recordsIn(recordOf(await api.get('/tasks', { query: { limit: '100' } })));
	return found(task, 'there is no task');
};

export const taskGuesses: Guess[] = [
	{
		name: 'task-list',
		area: 'Tasks',
		assumed: '`GET /tasks` has `items`, `total`, `limit` and `offset`, up to 100 a page.',
		matters: 'Task: Get Many, which continues after a shorter page while the total says so',
		code: 'nodes/Wherobots/useCases/runs/taskRuns.ts',
		async check({ api }) {
			const page = recordOf(await api.get('/tasks', { query: { limit: '100' } }));
			const seen = `fields ${fieldsOf(page)}; limit is ${String(page.limit)}`;
			verify(Array.isArray(page.items) && typeof page.total === 'number', seen);
			verify(page.limit === undefined || page.limit === 100, seen);
			verify(page.total >= page.items.length, `total ${page.total} of ${page.items.length} items`);
			return seen;
		},
	},
	{
		name: 'task-inputs',
		area: 'Tasks',
		assumed:
			'A task describes its inputs in a JSON schema named `inputSchema`, `input_schema`, `inputs` or `schema`.',
		matters: 'Task Run: Create, whose form refers to JSON otherwise',
		code: 'nodes/Wherobots/service/runs/taskRuns.ts',
		async check(live) {
			const name = text((await someTask(live)).name);
			const task = recordOf(await live.api.get('/tasks/{name}', { values: { name } }));
			const named = INPUT_SCHEMAS.find((each) => isRecord(task[each]));
			verify(named !== undefined, `fields ${fieldsOf(task)}`);
			return `${named}, with ${fieldsOf(task[named] as Json)}`;
		},
	},
	{
		name: 'task-run-path',
		area: 'Tasks',
		assumed:
			'`/openapi.json` has POST `/tasks/{name}/runs` or `/tasks/{name}/run`, with the inputs in the body.',
		matters: 'Task Run: Create, which fails otherwise and says so',
		code: 'nodes/Wherobots/useCases/runs/taskRuns.ts',
		async check({ api }) {
			const description = recordOf(await api.get('/openapi.json'));
			const { paths } = description as { paths?: Json };
			const posts = Object.entries(paths ?? {})
				.filter(([path, methods]) => path.includes('task') && isRecord(methods) && methods.post)
				.map(([path]) => path);
			const path = findRunPath({ paths } as never);
			verify(path !== undefined, `no such path; it has POST ${posts.join(', ') || 'for no task'}`);
			return path;
		},
	},
	{
		name: 'task-run-list',
		area: 'Tasks',
		assumed: '`GET /task-runs` begins with the newest run, and its `total` counts the list.',
		matters: 'Task Run: Get Many; Trigger: Task Run State Changed',
		code: 'nodes/Wherobots/useCases/runs/taskRuns.ts',
		async check(live) {
			const page = recordOf(await live.api.get('/task-runs', { query: { limit: '100' } }));
			const runs = recordsIn(page);
			const times = runs.map(({ submittedAt }) => Date.parse(text(submittedAt)));
			found(times[1], 'there are fewer than two task runs');
			verify(
				times.every((time, at) => at === 0 || time <= times[at - 1]),
				'an older run comes before a newer one',
			);
			const { total } = page;
			verify(
				runs.length === 100 || total === runs.length,
				`total ${String(total)} of ${runs.length}`,
			);
			return `newest first; fields ${fieldsOf(runs[0])}`;
		},
	},
	{
		name: 'task-run-states',
		area: 'Tasks',
		assumed: 'The states of task runs are the twelve that its pages name; `UNKNOWN` is an end.',
		matters: 'Task Run: Wait for Completion, which waits to its limit in any other state',
		code: 'nodes/Wherobots/service/runs/taskRuns.ts',
		async check(live) {
			const known =
				/^(PENDING|SUBMITTED|RUNNING|CANCELLING|SUCCEEDED|FAILED|TIMED_OUT|CANCELLED|REJECTED|MISSED|SKIPPED|UNKNOWN)$/;
			const states = [...new Set((await taskRuns(live)).map(({ state }) => text(state)))];
			found(states[0], 'there are no task runs');
			const other = states.filter((state) => !known.test(state));
			verify(other.length === 0, `also ${other.join(', ').replace(/[^A-Z_, ]/g, '?')}`);
			return states.join(', ');
		},
	},
	{
		name: 'task-run-logs',
		area: 'Tasks',
		assumed: 'A task run’s log has `items` and `nextSince`, which is null or missing at its end.',
		matters: 'Task Run: Get Logs, which follows the cursors until there are no new lines',
		code: 'nodes/Wherobots/useCases/runs/taskRuns.ts',
		async check(live) {
			const values = { id: text((await ended(live)).taskRunId) };
			const page = recordOf(await live.api.get('/task-runs/{id}/logs', { values }));
			const [line] = recordsIn(page);
			verify(Array.isArray(page.items), `fields ${fieldsOf(page)}`);
			return `${page.items.length} lines; nextSince is ${kindOf(page.nextSince)}; ${line ? `fields ${fieldsOf(line)}` : 'no lines'}`;
		},
	},
	{
		name: 'task-run-cost',
		area: 'Tasks',
		assumed:
			'A task run’s cost has `totalCostUsd`, a text with a decimal number, and `isSettling`.',
		matters: 'Task Run: Get Cost',
		code: 'nodes/Wherobots/useCases/runs/taskRuns.ts',
		async check(live) {
			const values = { id: text((await ended(live)).taskRunId) };
			const cost = recordOf(await live.api.get('/task-runs/{id}/cost', { values }));
			const seen = `totalCostUsd ${kindOf(cost.totalCostUsd)}, isSettling ${kindOf(cost.isSettling)}`;
			const isDecimal = /^\d+(\.\d+)?$/.test(text(cost.totalCostUsd));
			verify(
				isDecimal && typeof cost.isSettling === 'boolean',
				`${seen}; fields ${fieldsOf(cost)}`,
			);
			return seen;
		},
	},
	{
		name: 'task-results',
		area: 'Tasks',
		assumed: 'The `results` of a RasterFlow run that succeeded are `s3://` addresses.',
		matters:
			'Task Run: Get and Wait for Completion, which warn of results that are deleted after seven days',
		code: 'nodes/Wherobots/service/runs/taskRuns.ts',
		async check(live) {
			const all = await taskRuns(live);
			const run = all.find(({ state, type }) => state === 'SUCCEEDED' && type !== 'scripttask');
			const id = text(found(run, 'no task run but of scripts has succeeded yet').taskRunId);
			const read = recordOf(await live.api.get('/task-runs/{id}', { values: { id } }));
			const results = found(isRecord(read.results) ? read.results : undefined, 'it has no results');
			const addresses = Object.values(results).flat().map(text);
			verify(
				addresses.length > 0 && addresses.every((address) => address.startsWith('s3://')),
				`results are ${kindOf(results)} of ${addresses.length}, some no such address`,
			);
			const storages = recordsIn(ok(await live.api.get('/storage')).json);
			const storage = storages.find(({ path }) => addresses[0].startsWith(`${text(path)}/`));
			const bucket = isRecord(read.inputs) && read.inputs.bucket ? 'with' : 'without';
			return `in ${storage ? `a storage of the type ${text(storage.type)}` : 'no storage of the list'}, ${bucket} an input bucket`;
		},
	},
];
