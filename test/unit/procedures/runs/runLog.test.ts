import type { LogLine } from '../../../../nodes/Wherobots/service/records';
import type { CallOptions, Client } from '../../../../nodes/Wherobots/transport/client';
import { RunLog } from '../../../../nodes/Wherobots/procedures/runs/logs';

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
