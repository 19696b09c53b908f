import { JobRun } from '../../../../nodes/Wherobots/service/records/jobRun';
import { TaskRun } from '../../../../nodes/Wherobots/service/records/taskRun';

const NOW = Date.parse('2026-11-21T12:00:00Z');

const run = (more: object) =>
	new JobRun({
		id: 'r1',
		name: 'nightly-etl',
		status: 'FAILED',
		createTime: '2026-11-21T11:00:00Z',
		...more,
	});
const withEvents = (...events: unknown[]) => run({ kubeApp: { events } });

it('final are four statuses, and none that is unknown', () => {
	const final = ['COMPLETED', 'FAILED', 'CANCELLED', 'TIMED_OUT'];
	const others = ['PENDING', 'RUNNING', 'HIBERNATING', 'completed'];
	const ended = [...final, ...others].filter((status) => run({ status }).outcome);
	expect(ended).toEqual(final);
});

describe('the outcome of a run', () => {
	it.each(['COMPLETED', 'CANCELLED', 'TIMED_OUT'])(
		'is the status of a run that is %s',
		(status) => {
			const events = [{ code: 'RUN_TIMEOUT', message: 'timed out' }];
			expect(run({ status, kubeApp: { events } }).outcome).toBe(status);
		},
	);

	it.each([
		['a code that says timeout', { code: 'RUN_TIMEOUT' }],
		['a code with underscores', { code: 'RUN_TIME_OUT' }],
		['a failure whose message says timeout', { code: 'RUN_FAIL_EXEC', message: 'Job timed out' }],
		['a failure whose message says time-out', { code: 'fail', message: 'after a time-out' }],
		['a message without a code', { message: 'The run timed_out' }],
		['a code that is not text', { code: 7, message: 'timeout' }],
	])('is a timeout by %s', (_, event) => {
		expect(withEvents(null, 'text', event).outcome).toBe('TIMED_OUT');
	});

	it.each([
		['another failure', { code: 'RUN_FAIL_EXEC', message: 'boom' }],
		['another kind of event that mentions one', { code: 'RUN_EXEC', message: 'timeout is 3600' }],
		['nothing', {}],
		['a message that is not text', { code: 'RUN_FAIL_EXEC', message: ['timeout'] }],
	])('is a failure by %s', (_, event) => {
		expect(withEvents(event).outcome).toBe('FAILED');
	});

	it.each([{ kubeApp: null }, { kubeApp: {} }, { kubeApp: { events: 'timeout' } }, {}])(
		'is a failure when nothing says otherwise: %j',
		(more) => {
			expect(run(more).outcome).toBe('FAILED');
		},
	);
});

describe('the message of a run', () => {
	const events = [
		{ code: 'RUN_FAIL_EXEC', message: 'first' },
		{ code: 'RUN_FAIL_EXEC', message: 'second' },
		{ code: 'RUN_TIMEOUT', message: ' last ' },
		{ code: 'RUN_EXEC', message: 'another kind' },
	];

	it.each([
		['the message of the run', { kubeApp: { message: ' boom \n', events } }, 'boom'],
		['without codes for colors', { kubeApp: { message: '\u001b[1;31mboom\u001b[0m' } }, 'boom'],
		['the last failure', { kubeApp: { message: '  ', events } }, 'last'],
		['the last failure, without a message', { kubeApp: { message: null, events } }, 'last'],
		['no other event', { kubeApp: { events: events.slice(3) } }, ''],
		['nothing that is not text', { kubeApp: { message: 7, events: [{ code: 'FAIL' }] } }, ''],
		['empty when there is none', {}, ''],
	])('is %s', (_, more, expected) => {
		expect(run(more).message).toBe(expected);
	});
});

describe('a simplified run', () => {
	const times = { startTime: '2026-11-21T11:10:00Z', completeTime: '2026-11-21T11:15:00.6Z' };

	it.each([
		['its compute resources', { kubeApp: { regionName: 'aws-1' }, payload: { region: 'aws-2' } }],
		['its payload', { kubeApp: { regionName: '' }, payload: { region: 'aws-1' }, region: 'aws-2' }],
		['the record itself', { kubeApp: null, region: 'aws-1' }],
	])('takes the region from %s', (_, more) => {
		expect(run(more).simplify(NOW).region).toBe('aws-1');
	});

	it('has null for what is missing', () => {
		expect(run({ createTime: undefined }).simplify(NOW)).toMatchObject({
			...{ runtime: null, region: null, createTime: null, startTime: null, completeTime: null },
			durationSeconds: null,
			message: '',
		});
	});

	it.each([
		['null when it ended at an unknown time', { ...times, completeTime: undefined }, null],
		['never less than zero', { ...times, completeTime: '2026-11-21T11:09:00Z' }, 0],
		['for times in any notation of ISO 8601', { ...times, startTime: '20261121T110959Z' }, 302],
		['null for a day that does not exist', { ...times, startTime: '2026-02-30T00:00:00Z' }, null],
		['null for an invalid time', { ...times, startTime: 'soon' }, null],
	])('says how long it took: %s', (_, more, expected) => {
		expect(run(more).simplify(NOW).durationSeconds).toBe(expected);
	});
});

describe('a run', () => {
	const times = [1, 2, 3].map((minute) => NOW + minute * 60_000);
	const [createTime, startTime, completeTime] = times.map((time) => new Date(time).toISOString());
	const [created, started, ended] = times.map((time) => time * 1000);
	const known = { id: '7', status: 'FAILED', createTime, created, started, ended, isOver: true };

	it.each([
		['job', new JobRun({ id: 7, status: 'FAILED', createTime, startTime, completeTime })],
		[
			'task',
			new TaskRun({
				...{ taskRunId: 7, state: 'FAILED' },
				...{ submittedAt: createTime, startedAt: startTime, endedAt: completeTime },
			}),
		],
	])('of a %s says who it is, and when it was created, started and ended', (_, run) => {
		expect(run).toMatchObject(known);
	});

	it.each([new JobRun({ id: null, status: 5 }), new TaskRun({ state: {}, submittedAt: 'soon' })])(
		'has no ID, no status and no times that it does not name: %j',
		({ id, status, created: time, isActive, isOver }) => {
			expect([id, status, time, isActive, isOver]).toEqual(['', '', undefined, false, false]);
		},
	);
});
