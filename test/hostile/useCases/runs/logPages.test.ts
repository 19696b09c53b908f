import { RunLog } from '../../../../nodes/Wherobots/useCases/runs/logs';
import { failureOf, withClient } from '../../../engine/harness/probe';
import { suiteWithSharedSandbox } from '../../../engine/harness/suite';
import type { Fault } from '../../../sandbox';

const suite = suiteWithSharedSandbox({ seed: 'empty' });
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

const replace = (body: unknown): Fault => ({ kind: 'replace', body: JSON.stringify(body) });

describe('a log', () => {
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
		suite.fails('getRunLogs', replace({ items: [], next_page: 10 }), { times: 1 });
		expect(await log()).toHaveLength(length - 10);
	});

	it('does not go back to a page that was read', async () => {
		for (const next_page of [11, 22, 11]) {
			const items = [{ timestamp: next_page * 7, raw: 'x' }];
			suite.fails('getRunLogs', replace({ items, next_page }), { times: 1 });
		}
		expect((await failureOf(log())).description).toContain('already been read');
	});

	it.each([0, '0', '', null])('ends where the next page is %j', async (next_page) => {
		const items = [{ timestamp: 5, raw: 'x' }];
		suite.fails('getRunLogs', replace({ items, next_page }));
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
		suite.fails('getRunLogs', replace(body));
		expect((await failureOf(log())).message).toBe('The log could not be read to the end');
	});
});
