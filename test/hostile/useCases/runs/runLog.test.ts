import { RunLog } from '../../../../nodes/Wherobots/useCases/runs/logs';
import type { LogLine } from '../../../../nodes/Wherobots/service/records';
import { failureOf, withClient } from '../../../engine/harness/probe';
import { suiteWithSharedSandbox } from '../../../engine/harness/suite';
import type { Variants } from '../../../sandbox';

const START = Date.parse('2026-11-21T12:00:00Z');

const suite = suiteWithSharedSandbox({ seed: 'empty' }, '2026-11-21T12:00:00Z');

describe('a log', () => {
	let runId: string;

	beforeAll(() => {
		runId = suite.store.createRun({ status: 'COMPLETED' }).id;
		suite.store.runs.appendLog(
			runId,
			Array.from({ length: 700 }, (_, i) => `line ${i}`),
		);
	});

	async function log(): Promise<string[]> {
		return await withClient(suite.sandbox, async (client) => {
			const raw: string[] = [];
			for await (const lines of new RunLog(client, runId).available()) {
				raw.push(...lines.map((line) => line.raw));
			}
			return raw;
		});
	}

	it('takes a repeated cursor for its end', async () => {
		suite.fails('getRunLogs', { kind: 'cursor', how: 'repeat' }, { skip: 1 });
		expect(await log()).toHaveLength(700);
	});

	it('does not follow empty pages forever', async () => {
		suite.fails('getRunLogs', { kind: 'cursor', how: 'emptyWithNext' }, { skip: 1 });
		const error = await failureOf(log());
		expect(error.message).toBe('The log could not be read to the end');
		expect(error.description).toContain(runId);
		expect(suite.requests.of('getRunLogs').length).toBeLessThan(40);
	});

	it('continues after an empty page', async () => {
		const { length } = await log();
		suite.responds('getRunLogs', { items: [], next_page: 10 }, { times: 1 });
		expect(await log()).toHaveLength(length - 10);
	});

	it('does not go back to a page that was read', async () => {
		for (const next_page of [11, 22, 11]) {
			const items = [{ timestamp: next_page * 7, raw: 'x' }];
			suite.responds('getRunLogs', { items, next_page }, { times: 1 });
		}
		expect((await failureOf(log())).description).toContain('already been read');
	});

	it.each([0, '0', '', null])('ends where the next page is %j', async (next_page) => {
		const items = [{ timestamp: 5, raw: 'x' }];
		suite.responds('getRunLogs', { items, next_page });
		expect(await log()).toEqual(['x']);
		expect(suite.requests.of('getRunLogs')).toHaveLength(1);
	});

	it.each([
		['null', null],
		['no items', {}],
		['items that are no list', { items: 'abc' }],
		['items that are no lines', { items: [null] }],
		['lines without text', { items: [{ timestamp: 1 }] }],
	])('is not made of %s', async (_, body) => {
		suite.responds('getRunLogs', body);
		expect((await failureOf(log())).message).toBe('The log could not be read to the end');
	});
});

const named = (['position', 'time'] as const)
	.flatMap((logCursor) =>
		(['integer', 'string'] as const).flatMap(
			(logCursorType): Array<Partial<Variants>> => [
				{ logCursor, logCursorType, logTimestampType: 'integer', logTimestampUnit: 'ms' },
				{ logCursor, logCursorType, logTimestampType: 'string', logTimestampUnit: 'ns' },
			],
		),
	)
	.map((variants, index): [string, Partial<Variants>] => {
		const all = { ...variants, logNextPageAtEnd: (['null', 'cursor'] as const)[index % 2] };
		return [Object.values(all).join(', '), all];
	});

/** A run that ended a while ago, with these lines; `at` is in milliseconds after `START`. */
function endedRun(lines: Array<{ raw: string; at: number }>): string {
	const { id } = suite.store.createRun({
		status: 'COMPLETED',
		createTime: START - 3_600_000,
		plan: { logs: [] },
	});
	for (const { raw, at } of lines) {
		suite.store.runs.appendLog(id, [raw], { at: START + at, visibleAt: 0 });
	}
	return id;
}

async function rawLines(runId: string): Promise<string[]> {
	const parameters = {
		resource: 'jobRun',
		operation: 'getLogs',
		runId: { __rl: true, mode: 'id', value: runId },
		lines: 'all',
		options: { lateSeconds: 0 },
	};
	const { json } = await suite.succeeds(parameters);
	return json.map((line) => String(line.line));
}

const numbered = (count: number, at: (index: number) => number) =>
	Array.from({ length: count }, (_, index) => ({ raw: `line ${index}`, at: at(index) }));

describe.each(named)('with cursors: %s', (_, variants) => {
	beforeEach(() => {
		Object.assign(suite.variants, variants);
	});

	it.each([
		['no lines', numbered(0, () => 0)],
		['one line', numbered(1, () => 0)],
		['exactly one page', numbered(1_000, (index) => index)],
		['several pages', numbered(2_403, (index) => index * 3)],
		['many lines at each time', numbered(2_403, (index) => Math.floor(index / 37))],
		[
			'more lines at one time than a page holds',
			numbered(1_300, (index) => (index < 10 ? index : 10)),
		],
		['only two times', numbered(1_100, (index) => (index < 650 ? 1 : 2))],
	])('every line of a log with %s comes once', async (_name, lines) => {
		expect(await rawLines(endedRun(lines))).toEqual(lines.map(({ raw }) => raw));
	});

	it('equal lines at different times all come', async () => {
		const lines = Array.from({ length: 1_100 }, (_unused, at) => ({ raw: '.', at }));
		expect(await rawLines(endedRun(lines))).toHaveLength(1_100);
	});

	it('equal lines at the same time all come', async () => {
		const lines = Array.from({ length: 1_200 }, () => ({ raw: '.', at: 0 }));
		expect(await rawLines(endedRun(lines))).toHaveLength(1_200);
	});

	it('lines that arrive while the log is followed come once, in the order of their arrival', async () => {
		const { id } = suite.store.createRun({
			status: 'RUNNING',
			createTime: START - 3_600_000,
			plan: { logs: [] },
		});
		const written: string[] = [];
		const got: LogLine[] = [];
		await withClient(suite.sandbox, async (client) => {
			const log = new RunLog(client, id);
			for (let round = 0; round < 14; round++) {
				// Sometimes nothing, sometimes more than a page; ten lines share each moment.
				const count = [0, 1, 7, 0, 0, 999, 1, 2_001, 3, 0, 1_000, 1, 1, 0][round];
				for (let i = 0; i < count; i++) {
					written.push(`round ${round}, line ${i}`);
					const at = START + round * 1_000 + Math.floor(i / 10);
					suite.store.runs.appendLog(id, [written.at(-1) as string], { at, visibleAt: 0 });
				}
				for await (const lines of log.available()) got.push(...lines);
			}
		});
		expect(got.map(({ raw }) => raw)).toEqual(written);
	});
});
