import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import type { CallOptions, Client } from '../../../../nodes/Wherobots/transport/client';
import { readLog } from '../../../../nodes/Wherobots/procedures/runs/logs';

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
	const { lines } = await readLog({ call } as unknown as Client, 'r1', { selection, quietMs: 0 });
	expect(lines.map(({ raw }) => raw)).toEqual([`line ${PAGES - 2}`, `line ${PAGES - 1}`]);
	// Two are wanted; it does not matter if a few more are left for a moment.
	expect(kept).toBeLessThan(PAGES / 4);
});
