/** Logs that are longer than what anybody wants to keep of them. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import type { CallOptions, Client } from '../../../../nodes/Wherobots/transport/client';
import { fetchLog, RunLog } from '../../../../nodes/Wherobots/useCases/runs/logs';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const PAGES = 200;

it('the last lines of a long log are read without keeping all the others', async () => {
	const given: Array<WeakRef<object>> = [];
	let kept = Infinity;
	const call = async (id: string, { query }: CallOptions) => {
		if (id === 'getRun') return { status: 'RUNNING' };
		const at = Number(query?.cursor);
		if (at < PAGES) {
			const line = { timestamp: 0, raw: `line ${at}` };
			given.push(new WeakRef(line));
			return { items: [line], next_page: at + 1 };
		}
		// The target of a new weak reference is kept alive until the current job ends.
		await new Promise(setImmediate);
		collectGarbage();
		kept = given.filter((line) => line.deref() !== undefined).length;
		return { items: [], next_page: null };
	};
	const selection = { which: 'last', count: 2 } as const;
	const { lines } = await fetchLog({ call } as unknown as Client, 'r1', { selection, quietMs: 0 });
	expect(lines.map(({ raw }) => raw)).toEqual([`line ${PAGES - 2}`, `line ${PAGES - 1}`]);
	// Two are wanted; it does not matter if a few more are left for a moment.
	expect(kept).toBeLessThan(PAGES / 4);
});

it.each([128_000, 1_000])(
	'a log with more lines at one time than a page of %i can hold is not taken for complete',
	async (most) => {
		const call = async (_: string, { query }: CallOptions) => {
			const size = Math.min(most, Number(query?.size));
			const items = Array.from({ length: size }, (__, at) => ({ timestamp: 9, raw: `line ${at}` }));
			return await Promise.resolve({ items, next_page: 9 });
		};
		const reading = async () => {
			const log = new RunLog({ call } as unknown as Client, 'r1');
			for await (const lines of log.available()) expect(lines.length).toBeGreaterThan(0);
		};
		await expect(reading()).rejects.toMatchObject({
			description: expect.stringContaining(`more than ${most} lines had the same timestamp`),
		});
	},
);

it('a log that does not repeat the last line of a page loses none', async () => {
	const line = (timestamp: number) => ({ timestamp, raw: `line ${timestamp}` });
	const call = async (_: string, { query }: CallOptions) => {
		const page =
			Number(query?.cursor) === 2
				? { items: [line(3)], next_page: null }
				: { items: [line(1), line(2)], next_page: 2 };
		return await Promise.resolve(page);
	};
	const read: unknown[] = [];
	const log = new RunLog({ call } as unknown as Client, 'r1');
	for await (const lines of log.available()) read.push(...lines);
	expect(read).toEqual([line(1), line(2), line(3)]);
});
