import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import type { Chapter } from '../../../../bench/lib/chapter';
import {
	type PartResults,
	readResults,
	withParts,
	writeResults,
} from '../../../../bench/report/results';

/** Vega comes as modules that jest cannot load; the pictures are not what is tested here. */
jest.mock('../../../../bench/report/charts', () => ({
	drawComparison: async () => '<svg/>',
	drawGrowth: async () => '<svg/>',
}));

const spread = (median: number) => ({ median, low: median, high: median });

const chapter = (title: string, ms: number): Chapter => ({
	title,
	how: 'By hand.',
	rows: [
		{ side: 'this package', time: spread(ms) },
		{ side: 'another', time: spread(2 * ms) },
	],
	checks: [],
});

const part = (title: string, ms: number, date: string): PartResults => ({
	facts: { Date: date, Machine: 'one' },
	chapters: [chapter(title, ms)],
});

const ORDER = ['list', 'files', 'parse'];

describe('results of the benchmarks', () => {
	let folder: string;

	beforeEach(async () => {
		folder = await mkdtemp(path.join(tmpdir(), 'results-'));
	});

	afterEach(async () => {
		await rm(folder, { recursive: true });
	});

	it('are none where nothing has been measured', async () => {
		expect(await readResults(folder)).toEqual({});
	});

	it('keep the other parts when one is measured alone', async () => {
		await writeResults(folder, {
			list: part('Lists', 1_000, 'Monday'),
			parse: part('Parsing', 3_000, 'Monday'),
		});
		const measured = { files: part('Files', 2_000, 'Tuesday') };
		await writeResults(folder, withParts(await readResults(folder), measured, ORDER));

		const results = await readResults(folder);
		expect(Object.keys(results)).toEqual(['list', 'files', 'parse']);
		expect(results.list).toEqual(part('Lists', 1_000, 'Monday'));

		const text = await readFile(path.join(folder, 'results.md'), 'utf8');
		const sections = text.split('\n## ').slice(1);
		const dateOf = (title: string) =>
			/Date: (\w+)/.exec(sections.find((section) => section.startsWith(title)) ?? '')?.[1];
		expect(text).toContain('| Date | Monday |');
		expect(['Lists', 'Files', 'Parsing'].map(dateOf)).toEqual([undefined, 'Tuesday', undefined]);
		expect(text).not.toContain('Machine: one');
	});

	it('say once when and where everything was measured together', async () => {
		await writeResults(folder, {
			list: part('Lists', 1_000, 'Monday'),
			files: part('Files', 2_000, 'Monday'),
		});
		const text = await readFile(path.join(folder, 'results.md'), 'utf8');
		expect(text.match(/Monday/g)).toHaveLength(1);
	});

	it('replace what a part measured before', () => {
		const before = { list: part('Lists', 1_000, 'Monday') };
		const measured = { list: part('Lists', 900, 'Tuesday') };
		expect(withParts(before, measured, ORDER)).toEqual(measured);
	});

	it('drop a part that there is no longer', () => {
		expect(withParts({ old: part('Old', 1, 'Monday') }, {}, ORDER)).toEqual({});
	});
});
