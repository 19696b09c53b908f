import type { LogLine } from '../../../../nodes/Wherobots/service/records';
import type { CallOptions, Client } from '../../../../nodes/Wherobots/transport/client';
import { RunLog } from '../../../../nodes/Wherobots/procedures/runs/logs';
import {
	MAX_PAGES_WITHOUT_NEW_RECORDS,
	MAX_PAGES,
} from '../../../../nodes/Wherobots/transport/records';

/** A log for which the service sends these responses, and what it was asked for. */
function logOf(...answers: Array<object | Error>) {
	const asked: string[] = [];
	const client = {
		call: async (_: string, { query }: CallOptions) => {
			const answer = answers[asked.length];
			asked.push(`${query?.size} from ${query?.cursor}`);
			return await (answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer));
		},
	};
	return { log: new RunLog(client as unknown as Client, 'r1'), asked };
}

const line = (timestamp: number, raw = 'x') => ({ timestamp, raw });

const lines = (count: number, timeOf: (index: number) => number) =>
	Array.from({ length: count }, (_, index) => line(timeOf(index), `line ${index}`));

const page = (items: LogLine[], next_page: unknown = null) => ({ items, next_page });

async function pagesOf(log: RunLog): Promise<LogLine[][]> {
	const pages: LogLine[][] = [];
	for await (const given of log.available()) pages.push(given);
	return pages;
}

it('a page without new lines is skipped', async () => {
	const { log } = logOf(page([line(1)], 10), page([], 20), page([line(2)]), page([line(2)]));
	expect(await pagesOf(log)).toEqual([[line(1)], [line(2)]]);
	expect(await pagesOf(log)).toEqual([]);
});

it('equal lines are a repeat only where the cursor is their time', async () => {
	const two = [line(5, 'a'), line(5, 'a')];
	const position = logOf(page(two, 2), page(two, 4), page([], 4));
	expect((await pagesOf(position.log)).flat()).toHaveLength(4);
	const time = logOf(page([line(1), ...two], 5), page([...two, line(6)], 6), page([line(6)], 6));
	expect((await pagesOf(time.log)).flat()).toEqual([line(1), ...two, line(6)]);
});

it.each([
	['is missing', undefined],
	['is null', null],
	['is empty', ''],
	['is the same, as a text', '7'],
	['is the same, as a number', 7],
	['is where logs begin', 0],
])('ends where the next page %s', async (_, next_page) => {
	const { log, asked } = logOf(page([line(1)], 7), page([line(2)], next_page));
	expect((await pagesOf(log)).flat()).toEqual([line(1), line(2)]);
	expect(asked).toHaveLength(2);
});

it('lines that come later are found, wherever the log ended', async () => {
	const { log, asked } = logOf(
		page([line(1)], null),
		page([line(1), line(2)], 2),
		page([], null),
		page([line(3)], 3),
		page([], 3),
	);
	expect(await pagesOf(log)).toEqual([[line(1)]]);
	expect(await pagesOf(log)).toEqual([[line(2)]]);
	expect(await pagesOf(log)).toEqual([[line(3)]]);
	expect(asked.map((each) => each.split(' ').at(-1))).toEqual(['0', '0', '2', '2', '3']);
});

describe('the number of lines requested at once', () => {
	it('grows only while a page is full of lines of the cursor', async () => {
		const all = lines(700, (index) => (index < 600 ? 9 : 10));
		const { log, asked } = logOf(
			page(all.slice(0, 500), 9),
			page(all.slice(0, 500), 9),
			page(all, 10),
			page(all.slice(600), 10),
		);
		expect((await pagesOf(log)).flat()).toHaveLength(700);
		expect(asked).toEqual(['500 from 0', '500 from 9', '1000 from 9', '500 from 10']);
	});

	it('has a limit, and a log beyond it is not taken for complete', async () => {
		const pages = Array.from({ length: 9 }, (_, at) =>
			page(
				lines(500 * 2 ** at, () => 9),
				9,
			),
		);
		const { log } = logOf(pages[0], ...pages);
		await expect(pagesOf(log)).rejects.toMatchObject({
			description: expect.stringContaining('more than 128000 lines had the same timestamp'),
		});
	});
});

const many = (count: number, itemsAt: (index: number) => LogLine[]) =>
	Array.from({ length: count }, (_, index) => page(itemsAt(index), `p${index}`));

it('a log may continue without lines for a while', async () => {
	const pages = many(MAX_PAGES_WITHOUT_NEW_RECORDS, () => []);
	const { log } = logOf(...pages, page([line(1)]));
	expect(await pagesOf(log)).toEqual([[line(1)]]);
});

it.each([
	['has no list of lines', [{}], 'a page arrived without a list of lines'],
	['does not end', many(MAX_PAGES + 1, (at) => [line(at)]), `not end after ${MAX_PAGES} pages`],
	['goes in circles', [5, 6, 5].map((next) => page([line(9)], next)), 'had already been read'],
	[
		'continues without lines',
		many(MAX_PAGES_WITHOUT_NEW_RECORDS + 1, () => []),
		'pages in a row contained nothing new',
	],
])('a log that %s is not taken for complete', async (_, pages, what) => {
	const { log, asked } = logOf(...pages);
	await expect(pagesOf(log)).rejects.toMatchObject({
		message: 'The log could not be read to the end',
		description: expect.stringMatching(new RegExp(`${what}.*Run ID: r1$`)),
		facts: { runId: 'r1' },
	});
	expect(asked.length).toBeLessThanOrEqual(MAX_PAGES);
});
