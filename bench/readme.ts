/** The few figures in the README. */
import path from 'node:path';

import { writeMarkedPart } from '../scripts/lib/markedPart';
import { REPOSITORY } from '../scripts/lib/paths';
import type { Chapter } from './measure';
import { table } from './report';

/** A line of the README's table. */
interface Line {
	task: string;
	/** The title of the chapter with the figures. */
	chapter: RegExp;
	/** The sides of that chapter, with what the README calls them. */
	beside: Array<[called: string, side: RegExp]>;
	/** What no client could do without. */
	limit: string;
}

const OURS = /^this package(, transfer included)?$/;

const LINES: Line[] = [
	{
		task: 'List 20,000 job runs',
		chapter: /^List .* against the published rate limit$/,
		beside: [
			['HTTP Request, 50 ms between pages', /^HTTP Request, pages 50 ms apart$/],
			['least possible time', /^least time/],
		],
		limit: "the service's rate limit",
	},
	{
		task: 'Get 1,000 job runs by ID',
		chapter: /^Get 1,000 runs by ID against the published rate limit$/,
		beside: [
			['HTTP Request, 100 every 5 s', /^HTTP Request in batches/],
			['least possible time', /^least time/],
		],
		limit: "the service's rate limit",
	},
	{
		task: 'Export 1 GiB of audit log to a file, rows counted and checksum taken',
		chapter: /^Stream a 1 GiB audit export/,
		beside: [
			['HTTP Request, neither counted nor checked', /^HTTP Request, response as a file$/],
			["n8n's request helper, discarding the data", /^n8n's request helper, read and thrown away$/],
		],
		limit: "n8n's process, which receives and stores the bytes",
	},
	{
		task: 'Read 200 MiB of audit log as items',
		chapter: /^Parse a 200 MiB export into items$/,
		beside: [
			['Extract from File, without the download', /^Extract from File/],
			['papaparse without n8n', /^papaparse alone/],
		],
		limit: 'parsing; all items are in memory',
	},
];

/**
 * @param chapters all chapters that were measured
 * @throws Error when there is no such chapter or side
 */
export function renderForReadme(chapters: Chapter[]): string {
	const seconds = (title: RegExp, side: RegExp) => {
		const rows = chapters
			.filter((chapter) => title.test(chapter.title))
			.flatMap(({ rows }) => rows);
		const time = rows.find((row) => side.test(row.side))?.time;
		if (!time) throw new Error(`The results have no time of ${side} in ${title}`);
		return `${(time.median / 1_000).toFixed(1)} s`;
	};
	const rows = LINES.map(({ task, chapter, beside, limit }) => [
		task,
		seconds(chapter, OURS),
		beside.map(([called, side]) => `${called}: ${seconds(chapter, side)}`).join(' · '),
		limit,
	]);
	return table(['Task', 'This package', 'For comparison', 'Limited by'], rows);
}

/** Writes the figures into the README. */
export async function writeReadme(chapters: Chapter[]): Promise<void> {
	const file = path.join(REPOSITORY, 'README.md');
	await writeMarkedPart(file, 'speed', renderForReadme(chapters));
}
