/** The results as they are kept: part by part, so that a part can be measured anew without the others. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import type { Chapter } from '../lib/chapter';
import { drawComparison, drawGrowth } from './charts';
import type { Facts } from './environment';
import { renderMarkdown } from './table';

/** What one part measured, and where and when. */
export interface PartResults {
	facts: Facts;
	chapters: Chapter[];
}

export type Results = Record<string, PartResults>;

const FILE = 'results.json';

/** @returns the results in a folder; none where there are none yet */
export async function readResults(folder: string): Promise<Results> {
	try {
		return (JSON.parse(await readFile(path.join(folder, FILE), 'utf8')) as { parts: Results })
			.parts;
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
		throw error;
	}
}

/**
 * Results with the parts that were measured now in place of what they measured before.
 *
 * @param order the names of all parts that there are; a part that is no longer among them is dropped
 */
export function withParts(before: Results, measured: Results, order: string[]): Results {
	const all = { ...before, ...measured };
	return Object.fromEntries(order.filter((name) => name in all).map((name) => [name, all[name]]));
}

/** Writes the results with their tables and charts. */
export async function writeResults(folder: string, results: Results): Promise<void> {
	await mkdir(folder, { recursive: true });
	const chapters = chaptersOf(results);
	const growth = chapters.flatMap((chapter) => chapter.growth ?? []);
	const charts: Record<string, string> = { 'comparison.svg': await drawComparison(chapters) };
	if (growth.length > 0) charts['growth.svg'] = await drawGrowth(growth);
	const files = {
		...charts,
		'results.md': renderMarkdown(Object.values(results), Object.keys(charts)),
		[FILE]: `${JSON.stringify({ parts: results }, null, '\t')}\n`,
	};
	for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text);
}

export function chaptersOf(results: Results): Chapter[] {
	return Object.values(results).flatMap(({ chapters }) => chapters);
}
