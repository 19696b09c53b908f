import { constants, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';

import { hashed } from '../../../nodes/Wherobots/transport/bytes';
import { sha256 } from '../../support/files';
import { until } from '../../support/until';

/** What these blocks are when they have passed, and what was known as each came out. */
async function pass(blocks: string[], size?: number) {
	async function* source() {
		for (const block of blocks) yield await Promise.resolve(Buffer.from(block));
	}
	const { output, tally } = hashed(source(), size);
	const seen: unknown[] = [];
	const read = async () => {
		for await (const block of output) seen.push([Buffer.from(block).toString(), tally.sha256]);
	};
	const error = await read().catch((reason: Error) => reason);
	return { seen, tally, error };
}

it('bytes are counted and hashed as they go through, and the sum is there before the last', async () => {
	const { seen, tally } = await pass(['ab', '', 'c', '']);
	const sum = sha256('abc');
	expect(seen).toEqual([
		['ab', ''],
		['c', sum],
	]);
	expect(tally).toEqual({ bytes: 3, sha256: sum });
});

it.each([
	[['ab', 'cd'], 3, 'more than 3 bytes arrived'],
	[['abc', 'd'], 3, 'more than 3 bytes arrived'],
	[['ab'], 3, '2 of 3 bytes arrived'],
])('a file of another size is never complete: %j', async (blocks, size, problem) => {
	const { seen, tally, error } = await pass(blocks, size);
	expect(seen).toEqual([]);
	expect(tally).toMatchObject({ sha256: '', problem });
	expect(error).toMatchObject({ message: problem });
});

it('V8 collects young objects while a file passes, and what has passed with them', async () => {
	let minor = 0;
	const observer = new PerformanceObserver((list) => {
		const entries = list.getEntries() as Array<PerformanceEntry & { detail: { kind: number } }>;
		const { NODE_PERFORMANCE_GC_MINOR: MINOR } = constants;
		minor += entries.filter(({ detail }) => detail.kind === MINOR).length;
	});
	observer.observe({ entryTypes: ['gc'] });
	const block = Buffer.alloc(64 * 1024);
	async function* source() {
		for (let passed = 0; passed < 2048; passed++) yield await Promise.resolve(block);
	}
	let bytes = 0;
	for await (const { length } of hashed(source()).output) bytes += length;
	expect(bytes).toBe(128 * 1024 * 1024);
	// For 512 MiB of young objects, of which no process has room for more than 64 MiB; they are passed on late.
	await until(() => minor >= 4);
	observer.disconnect();
});
