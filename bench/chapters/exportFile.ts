import { statfs } from 'node:fs/promises';
import path from 'node:path';

import { type Bench, workflowSide } from '../lib/bench';
import { atLeast, type Chapter, figure, type GrowthPoint, row } from '../lib/chapter';
import { inRounds, peaks, ratio, type Samples, spread, times } from '../lib/samples';
import type { Measured } from '../n8n/n8n';
import { floor, httpRequest, MEASURED, wherobots } from '../n8n/steps';
import { pointOf } from './growthPoint';

/** What `generateEvents` of the stand-in tells. */
export interface Range {
	start: string;
	end: string;
	bytes: number;
	rows: number;
}

const MIB = 2 ** 20;
const MAX_GROWTH_MIB = 64;
/** Growth is shown over this many times the smallest work. */
const PARTS = [100, 10, 1];

export const queryOf = ({ start, end }: Range) => ({ startTime: start, endTime: end });

export function exportStep(range: Range, parameters: Record<string, unknown> = {}) {
	return wherobots({
		resource: 'auditLog',
		operation: 'export',
		timeRange: 'custom',
		start: range.start,
		end: range.end,
		...parameters,
	});
}

export function httpFile(bench: Bench, range: Range) {
	return httpRequest(`${bench.target.baseUrl}/audit-log/export`, {
		query: queryOf(range),
		options: { response: { response: { responseFormat: 'file', outputPropertyName: 'data' } } },
	});
}

/** A large export as a file in n8n's store. */
export async function exportFile(bench: Bench): Promise<Chapter> {
	const { floor: bare, n8n, scale, scratch, service, target } = bench;
	const { bavail, bsize } = await statfs(scratch);
	if (bavail * bsize < 4 * scale.exportBytes) throw new Error(`Too little room in ${scratch}`);

	// Ascending in a fresh process: what stays resident counts for the larger size, not against it.
	await n8n.restart();
	const grown: Samples[] = [];
	const growth: GrowthPoint[] = [];
	for (const part of PARTS) {
		const bytes = scale.exportBytes / part;
		const range = await service.generateEvents(bytes);
		const side = await workflowSide(bench, `Export of ${bytes}`, [exportStep(range)], whole(range));
		const { ours } = await inRounds({ ours: side }, scale.longRounds, part === PARTS[0] ? 2 : 0);
		grown.push(ours);
		growth.push(pointOf('export into a file (MiB)', bytes / MIB, ours));
	}

	const range = await service.generateEvents(scale.exportBytes);
	const file = path.join(scratch, 'export.csv');
	const kept = path.join(scratch, 'kept.csv');
	await bare.keepExport(target, queryOf(range), kept);
	const deduplicated = exportStep(range, { options: { removeDuplicates: true } });
	const task = { baseUrl: target.baseUrl, items: JSON.stringify(queryOf(range)) };
	const samples = await inRounds(
		{
			axios: async () => await bare.exportToFile(target, queryOf(range), file),
			ours: await workflowSide(bench, 'Export', [exportStep(range)], whole(range)),
			dedup: await workflowSide(bench, 'Export, no repeats', [deduplicated], whole(range)),
			helper: await workflowSide(bench, 'Export: helper', [floor('export', task)]),
			drain: await workflowSide(bench, 'Export: drain', [floor('drain', task)]),
			http: await workflowSide(bench, 'Export: HTTP Request', [httpFile(bench, range)]),
			hash: async () => await bare.hash(kept),
			raw: async () => {
				const query = new URLSearchParams(queryOf(range)).toString();
				return await bare.ceiling(target, `/audit-log/export?${query}`, 1);
			},
		},
		scale.longRounds,
		0,
	);
	const speed = (side: Samples) =>
		`${Math.round(range.bytes / MIB / (times(side).median / 1000))} MiB/s`;
	const share = `${figure(ratio(samples.ours, samples.dedup))} × the speed without`;
	const more = memoryOf(grown[grown.length - 1]) - memoryOf(grown[0]);
	return {
		title: `Stream a ${size(scale.exportBytes)} audit export into n8n's file store`,
		how: `${range.rows.toLocaleString('en')} events. The package always counts the rows and takes the SHA-256 of a file; there is no mode without.`,
		rows: [
			row('this package', samples.ours, speed(samples.ours)),
			row('this package, Remove Duplicates on', samples.dedup, `${speed(samples.dedup)}, ${share}`),
			row('HTTP Request, response as a file', samples.http, speed(samples.http)),
			row("n8n's request helper into its store", samples.helper, speed(samples.helper)),
			row("n8n's request helper, read and thrown away", samples.drain, speed(samples.drain)),
			row('axios into a file, no n8n', samples.axios, speed(samples.axios)),
			row('SHA-256 alone, of a file', samples.hash, speed(samples.hash)),
			row('the sandbox alone: read and thrown away', samples.raw, speed(samples.raw)),
		],
		checks: [
			// What a node does comes on top of what n8n takes to hand it the bytes.
			atLeast(0.6, "× the speed of n8n's helper, thrown away", ratio(samples.drain, samples.ours)),
			atLeast(1, '× the speed of HTTP Request into a file', ratio(samples.http, samples.ours)),
			{
				target: `peak memory at most ${MAX_GROWTH_MIB} MiB above that of ${size(scale.exportBytes / PARTS[0])}`,
				reached: `${(more / MIB).toFixed(0)} MiB above`,
				met: more <= MAX_GROWTH_MIB * MIB,
			},
			// Seven tenths of what a plain export has to reach.
			atLeast(
				0.42,
				"× the speed of n8n's helper, thrown away, with Remove Duplicates",
				ratio(samples.drain, samples.dedup),
			),
		],
		growth,
	};
}

export function whole({ rows }: Range): (run: Measured) => void {
	return ({ nodes }) => {
		const { first } = nodes[MEASURED];
		if (first?.rows !== rows) throw new Error(`The file holds ${first?.rows} of ${rows} rows`);
	};
}

function memoryOf(samples: Samples): number {
	return (peaks(samples) ?? spread([0])).median;
}

export function size(bytes: number): string {
	return bytes >= 1024 * MIB
		? `${bytes / 1024 / MIB} GiB`
		: `${Number((bytes / MIB).toFixed(1))} MiB`;
}
