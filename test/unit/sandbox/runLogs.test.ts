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
	it('are empty while the run is pending, and grow while it runs', async () => {
		const { clock, read } = await openWithLog();
		expect(await read()).toEqual({ items: [], current_page: '0', next_page: null });
		clock.advance(7_000);
		expect(raw(await read())).toEqual(['one', 'two']);
		clock.advance(3_000);
		expect(raw(await read())).toEqual(LINES);
	});

	it('may return 404 while the run is pending', async () => {
		const { admin, run, sandbox } = await openWithLog();
		sandbox.variants.logsWhilePending = 'notFound';
		expect((await admin.get(`/runs/${run.id}/logs`)).status).toBe(404);
	});

	it('arrive late, even after the run has ended', async () => {
		const { clock, read, admin, run } = await openWithLog(30_000);
		clock.advance(10_000);
		expect((await admin.get(`/runs/${run.id}`)).data.status).toBe('COMPLETED');
		expect(raw(await read())).toEqual([]);
		clock.advance(28_000);
		expect(raw(await read())).toEqual(['one', 'two', 'three']);
		clock.advance(2_000);
		expect(raw(await read())).toEqual(LINES);
	});

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

	it('have as many lines as planned, each with its own timestamp', async () => {
		const { admin, clock, sandbox } = await open();
		const { id } = sandbox.store.createRun({ plan: { pendingMs: 0, runningMs: 100, logs: 5_000 } });
		clock.advance(10_000);
		const { data } = await admin.get(`/runs/${id}/logs?size=10000`);
		expect(new Set(data.items.map(({ timestamp }: Line) => timestamp)).size).toBe(5_000);
	});

	it('keep what was read when the run is stopped early', async () => {
		const { clock, read, run, sandbox } = await openWithLog();
		clock.advance(7_000);
		const before = (await read()).items;
		sandbox.store.moveRun(run.id, 'CANCELLED');
		sandbox.store.appendLog(run.id, ['a late word'], { visibleAt: clock.now() + 1_000 });
		expect((await read()).items).toEqual(before);
		clock.advance(1_000);
		expect(raw(await read())).toEqual(['one', 'two', 'a late word']);
	});
});
