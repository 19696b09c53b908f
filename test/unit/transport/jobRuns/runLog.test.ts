import type { LogLine } from '../../../../nodes/Wherobots/service/types';
import type { CallOptions, Client } from '../../../../nodes/Wherobots/transport/client';
import type { Failure } from '../../../../nodes/Wherobots/transport/failures/failure';
import { RunLog } from '../../../../nodes/Wherobots/transport/jobRuns/runLog';
import {
	MAX_PAGES_WITHOUT_NEW_RECORDS,
	MAX_PAGES,
} from '../../../../nodes/Wherobots/transport/pagination';

/** A log for which the service sends these responses, and what it was asked for. */
function logOf(...answers: Array<object | Error>) {
	const asked: string[] = [];
	const client = {
		call: async (_: string, { query }: CallOptions) => {
			const answer = answers[asked.length];
			asked.push(`${query?.size} from ${query?.cursor}`);
			return await (answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer));
		},
		error: (failure: Failure) => Object.assign(new Error(failure.message), failure),
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

it('equal lines all come when a cursor is the number of lines before it', async () => {
	const two = [line(5, 'a'), line(5, 'b')];
	// The second page does not begin with the last line again, so none of its lines are repeats.
	const { log } = logOf(page(two, 2), page(two, 4), page([line(5, 'b')]));
	expect((await pagesOf(log)).flat()).toEqual([...two, ...two, line(5, 'b')]);
});

describe('the number of lines requested at once', () => {
	it('stays the same when a page has lines of several times', async () => {
		const full = lines(500, (index) => index + 1);
		const { log, asked } = logOf(page(full, 500), page(full.slice(-1)));
		await pagesOf(log);
		expect(asked).toEqual(['500 from 0', '500 from 499']);
	});

	it('grows only when a page is full of lines of one time', async () => {
		const all = lines(700, (index) => (index < 600 ? 9 : 10));
		const { log, asked } = logOf(page(all.slice(0, 500), 9), page(all, 10), page([]));
		expect((await pagesOf(log)).flat()).toHaveLength(700);
		expect(asked).toEqual(['500 from 0', '1000 from 0', '500 from 9']);
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
		'page after page was empty',
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
