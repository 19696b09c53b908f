import { getLogs } from '../../../../nodes/Wherobots/actions/jobRun/getLogs.operation';
import { readLog } from '../../../../nodes/Wherobots/procedures/runs/logs';
import { runCall, runOf } from './runCall';

jest.mock('../../../../nodes/Wherobots/procedures/runs/logs');

const readsLog = jest.mocked(readLog);

/** Reads a log that has these lines. */
async function asking(parameters: object, { lines = ['a'], complete = true, tool = false } = {}) {
	const run = runOf(complete ? 'COMPLETED' : 'RUNNING');
	const log = lines.map((raw) => ({ timestamp: 1, raw }));
	readsLog.mockReset().mockResolvedValue({ run, lines: log, complete });
	const { call, hints } = runCall({ runId: 'r1', ...parameters }, { tool });
	await getLogs.execute(call);
	return { hints, selection: readsLog.mock.calls[0][2].selection };
}

describe('the lines that are read', () => {
	it.each([
		['a person, who gets the last hundred unless told otherwise', false, {}, 'last', 100],
		['a person, who gets as many as requested', false, { lineCount: 500 }, 'last', 500],
		['a person, who gets all', false, { lines: 'all' }, 'all', undefined],
		['a model, which gets at most a hundred', true, { lineCount: 500 }, 'last', 100],
		[
			'a model, which gets fewer when it asks for fewer',
			true,
			{ lines: 'first', lineCount: 7 },
			'first',
			7,
		],
		[
			'a model, which gets the end of a log when it asks for all of it',
			true,
			{ lines: 'all' },
			'last',
			100,
		],
	])('depend on who asks: %s', async (_, tool, parameters, which, count) => {
		const { selection } = await asking(parameters, { tool });
		expect(selection).toEqual(count === undefined ? { which } : { which, count });
	});
});

it.each([
	['there are none', [], true, ['There are no lines in the log of job run "nightly-etl".']],
	['there are some', ['a'], true, []],
	[
		'there are none yet',
		[],
		false,
		['Job run "nightly-etl" is still RUNNING: more log lines may follow.'],
	],
])('a hint explains the result where it has to: %s', async (_, lines, complete, hints) => {
	expect((await asking({}, { lines, complete })).hints).toEqual(hints);
});
