import { closeAll, NOW, open } from './open';

afterEach(closeAll);

interface Line {
	timestamp: number | string;
	raw: string;
}

const LINES = ['one', 'two', 'three', 'four', 'five'];

/** A run that writes a line each second from the fifth second on, readable at once. */
async function openWithLog(logDelayMs = 0) {
	const opened = await open();
	const run = opened.sandbox.store.createRun({
		plan: { pendingMs: 5_000, runningMs: 5_000, logs: LINES, logDelayMs },
	});
	const read = async (query = '') => (await opened.admin.get(`/runs/${run.id}/logs?${query}`)).data;
	return { ...opened, run, read };
}

const raw = (page: { items: Line[] }) => page.items.map((line) => line.raw);

describe('logs', () => {
	it.each([
		['position', 'null', [['one', 'two'], ['three', 'four'], ['five'], []]],
		['position', 'cursor', [['one', 'two'], ['three', 'four'], ['five'], []]],
		[
			'time',
			'null',
			[['one', 'two'], ['two', 'three'], ['three', 'four'], ['four', 'five'], ['five']],
		],
	] as const)('page by %s, with %s at the end', async (logCursor, logNextPageAtEnd, expected) => {
		const { clock, read, sandbox } = await openWithLog();
		clock.advance(10_000);
		Object.assign(sandbox.variants, { logCursor, logNextPageAtEnd });
		const pages: string[][] = [];
		let cursor: string | null = '0';
		for (;;) {
			const page: { items: Line[]; next_page: string | null } = await read(
				`size=2&cursor=${cursor}`,
			);
			pages.push(raw(page));
			if (page.next_page === null || page.next_page === cursor) break;
			cursor = page.next_page;
		}
		expect(pages).toEqual(expected);
	});

	it('can have cursors and timestamps as text, and nanoseconds with every digit', async () => {
		const { admin, clock, run, sandbox } = await openWithLog();
		clock.advance(10_000);
		sandbox.variants.logCursor = 'time';
		sandbox.variants.logTimestampType = 'string';
		sandbox.variants.logTimestampUnit = 'ns';
		const { data } = await admin.get(`/runs/${run.id}/logs?size=1`);
		expect(data.items[0].timestamp).toBe(`${NOW + 6_000}000000`);
		expect(data.next_page).toBe(data.items[0].timestamp);
	});
});
