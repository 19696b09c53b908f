/** Job runs: lists and records. What a run of its own shows is in ownJobRun.ts. */
import { ok, recordOf } from '../api';
import { found, verify, type Guess } from '../guess';
import { text, type Live } from '../context';
import { fieldsOf, isRecord, kindsOf, recordsIn, type Json } from '../shape';

const listed = async ({ api }: Live, query: Record<string, string | string[]>) =>
	recordsIn(ok(await api.get('/runs', { query: { size: '100', ...query } })).json);

const record = (value: unknown): Json => (isRecord(value) ? value : {});

export const jobRunGuesses: Guess[] = [
	{
		name: 'run-name-exact',
		area: 'Job runs',
		assumed: 'Without an asterisk, `name` finds runs of exactly that name, and all of them.',
		matters: 'Create: If a Run With This Name Exists; Get Many: Name',
		code: 'nodes/Wherobots/useCases/runs/findByName.ts',
		async check(live) {
			const named = (await live.runs()).find(({ name }) => text(name).length > 8);
			const name = text(found(named, 'there is no job run with a name').name);
			const whole = await listed(live, { name });
			const others = whole.filter((run) => run.name !== name);
			verify(others.length === 0, 'the whole name finds runs of other names, too');
			verify(whole.length > 0, 'the whole name finds nothing');
			const part = name.slice(0, -1);
			const byPart = (await listed(live, { name: part })).filter((run) => run.name !== part);
			verify(byPart.length === 0, 'a part of the name finds the run, too: a substring');
			return 'exact';
		},
	},
	{
		name: 'run-name-pattern',
		area: 'Job runs',
		assumed: 'One asterisk in `name` stands for any characters.',
		matters: 'Get Many: Name; Trigger: Run Name',
		code: 'nodes/Wherobots/service/records/jobRun.ts',
		async check(live) {
			const [run] = await live.runs();
			const name = text(found(run, 'there is no job run').name);
			const pattern = `${name.slice(0, 4)}*`;
			const runs = await listed(live, { name: pattern });
			verify(
				runs.some((each) => each.name === name),
				'the beginning of a name with an asterisk does not find the run',
			);
			const others = runs.filter((each) => !text(each.name).startsWith(name.slice(0, 4)));
			verify(others.length === 0, 'names with another beginning are found, too');
			return 'the beginning of a name with an asterisk finds the run';
		},
	},
	{
		name: 'run-status-filter',
		area: 'Job runs',
		assumed: '`status` may be repeated, and `TIMED_OUT` is one of its values.',
		matters: 'Get Many: Status; Trigger, which lists active runs so',
		code: 'nodes/Wherobots/service/records/jobRun.ts',
		async check(live) {
			const wanted = ['TIMED_OUT', 'COMPLETED', 'FAILED'];
			const runs = await listed(live, { status: wanted });
			const statuses = [...new Set(runs.map(({ status }) => text(status)))];
			verify(
				statuses.every((status) => wanted.includes(status)),
				`runs with other statuses are found: ${statuses.join(', ')}`,
			);
			const known = new Set((await live.runs()).map(({ status }) => text(status)));
			const missing = wanted.filter((each) => known.has(each) && !statuses.includes(each));
			verify(missing.length === 0, `runs with ${missing.join(', ')} are missing`);
			return statuses.join(', ') || 'accepted; there is no such run';
		},
	},
	{
		name: 'run-order',
		area: 'Job runs',
		assumed: 'Lists begin with the newest run, by `createTime`.',
		matters: 'Get Many with a limit; Trigger: how many requests a poll takes',
		code: 'nodes/Wherobots/trigger/core/runPoll.ts',
		async check(live) {
			const times = (await live.runs()).map(({ createTime }) => Date.parse(text(createTime)));
			found(times[1], 'there are fewer than two job runs');
			const isFalling = times.every((time, at) => at === 0 || time <= times[at - 1]);
			const isRising = times.every((time, at) => at === 0 || time >= times[at - 1]);
			verify(isFalling, isRising ? 'the oldest first' : 'in no order of createTime');
			return 'newest first';
		},
	},
	{
		name: 'run-region',
		area: 'Job runs',
		assumed: 'A run names its region in `kubeApp.regionName`, `payload.region` or `region`.',
		matters: 'Get, Get Many: Region of the output',
		code: 'nodes/Wherobots/service/records/jobRun.ts',
		async check(live) {
			const [run] = await live.endedRuns();
			const places = {
				'kubeApp.regionName': record(run.kubeApp).regionName,
				'payload.region': record(run.payload).region,
				region: run.region,
			};
			const named = Object.entries(places).filter(([, region]) => text(region) !== '');
			verify(named.length > 0, `nowhere; its fields are ${fieldsOf(run)}`);
			return named.map(([place]) => place).join(', ');
		},
	},
	{
		name: 'run-events',
		area: 'Job runs',
		assumed: "Each of a run's `kubeApp.events` has `code` and `message`, both texts.",
		matters: 'Why a run has failed; whether it timed out',
		code: 'nodes/Wherobots/service/records/jobRun.ts',
		async check(live) {
			const runs = await live.endedRuns();
			const failed = runs.find(({ status }) => status === 'FAILED') ?? runs[0];
			const path = '/runs/{id}';
			const run = recordOf(await live.api.get(path, { values: { id: text(failed.id) } }));
			const events = recordsIn(record(run.kubeApp).events);
			found(events[0], 'the run has no events');
			const codes = events.map(({ code }) => code);
			const isText = (value: unknown) => text(value) !== '';
			const seen = `code: ${kindsOf(codes)}; message: ${kindsOf(events.map(({ message }) => message))}`;
			verify(codes.every(isText), seen);
			return codes.filter((code) => /^[A-Z_]+$/.test(text(code))).join(', ');
		},
	},
];
