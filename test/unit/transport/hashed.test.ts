import { constants, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';

import { hash } from '../../../nodes/Wherobots/transport/bytes';
import { sha256 } from '../../support/files';
import { until } from '../../support/until';

it('a large file passes in blocks of 512 KiB, its sum known before the last, and V8 collects what has passed', async () => {
	let minor = 0;
	const observer = new PerformanceObserver((list) => {
		const entries = list.getEntries() as Array<PerformanceEntry & { detail: { kind: number } }>;
		const { NODE_PERFORMANCE_GC_MINOR: MINOR } = constants;
		minor += entries.filter(({ detail }) => detail.kind === MINOR).length;
	});
	observer.observe({ entryTypes: ['gc'] });
	const piece = Buffer.alloc(64 * 1024);
	async function* source() {
		for (let passed = 0; passed < 2048; passed++) yield await Promise.resolve(piece);
	}
	const { output, tally } = hash(source());
	const sums: string[] = [];
	for await (const { length } of output) {
		expect(length).toBe(512 * 1024);
		sums.push(tally.sha256);
	}
	const sum = sha256(Buffer.alloc(128 * 1024 * 1024));
	expect(sums).toEqual([...Array<string>(255).fill(''), sum]);
	// For 512 MiB of young objects, of which no process has room for more than 64 MiB; they are passed on
	// late. Without them, joining the pieces causes four.
	await until(() => minor >= 8);
	observer.disconnect();
});
