import { rm } from 'node:fs/promises';
import path from 'node:path';

import { type Bench, workflowSide } from '../lib/bench';
import { type Chapter, figure, row } from '../lib/chapter';
import { inRounds, ratio, type Samples, spread } from '../lib/samples';
import { type Shares, sharesOf } from '../n8n/shares';
import type { Measured } from '../n8n/n8n';
import { floor, MEASURED } from '../n8n/steps';
import { exportStep, httpFile, queryOf, type Range, size, whole } from './exportFile';

/** Profiles hold a sample for each millisecond or so; this much is enough for shares. */
const PROFILED_PART = 4;

/** How fast an export could be in n8n if nothing were done with it, and where the time goes. */
export async function exportLimit(bench: Bench): Promise<Chapter[]> {
	const { floor: bare, n8n, scale, scratch, service, target } = bench;
	await n8n.restart();
	const range = await service.generateEvents(scale.exportBytes);
	const query = queryOf(range);
	const { baseUrl } = target;
	const file = path.join(scratch, 'limit.csv');
	const drain = floor('drain', { baseUrl, items: JSON.stringify(query) });
	const axiosInN8n = floor('axiosToFile', { baseUrl, items: JSON.stringify({ query, file }) });
	const allBytes = ({ nodes }: Measured) => checkBytes(range, nodes[MEASURED].first?.bytes);
	const inside = await workflowSide(bench, 'Limit: axios', [axiosInN8n], allBytes);
	const samples = await inRounds(
		{
			outside: async () => {
				const result = await bare.exportToFile(target, query, file);
				checkBytes(range, result.count);
				return result;
			},
			inside: async () => await inside().finally(async () => await rm(file, { force: true })),
			drain: await workflowSide(bench, 'Limit: drain', [drain], allBytes),
			ours: await workflowSide(bench, 'Limit: package', [exportStep(range)], whole(range)),
		},
		scale.longRounds,
	);
	const limit: Chapter = {
		title: `What limits an export in n8n: the same ${size(scale.exportBytes)}`,
		how:
			'Every byte that arrives passes through memory that Node.js takes from outside the heap. When enough of it has come together, ' +
			'V8 goes through the whole heap for what is still in use, in threads of its own and in pauses of the main one. n8n keeps some ' +
			'hundred MiB there, an empty process next to nothing. This package makes V8 collect young objects before that, and with them what has arrived.',
		rows: [
			row('axios into a file, no n8n', samples.outside, engineNote(samples.outside)),
			row("axios into a file, in n8n's process", samples.inside, engineNote(samples.inside)),
			row("n8n's request helper, read and thrown away", samples.drain, engineNote(samples.drain)),
			row('this package', samples.ours, engineNote(samples.ours)),
		],
		checks: [],
		remarks: [
			`Of the time of axios outside n8n, axios in n8n's process takes ${figure(ratio(samples.inside, samples.outside))} ×, reading alone ${figure(ratio(samples.drain, samples.outside))} ×; what a node does with the bytes comes on top.`,
		],
	};
	const smaller = await service.generateEvents(scale.exportBytes / PROFILED_PART);
	return [limit, await mainThread(bench, smaller)];
}

/** The header row comes on top of the rows. */
function checkBytes({ bytes }: Range, read: unknown): void {
	if (!(Number(read) > bytes)) throw new Error(`${String(read)} of ${bytes} bytes were read`);
}

/** Collections of the whole heap, and what V8's own threads took. */
function engineNote(samples: Samples): string {
	const median = (of: (sample: Samples[number]) => number | undefined) =>
		spread(samples.map((sample) => of(sample) ?? NaN)).median;
	const seconds = median(({ v8Ms }) => v8Ms) / 1000;
	return `${median(({ collections }) => collections)} collections of the whole heap, ${seconds.toFixed(1)} s of V8's own threads`;
}

/** CPU profiles of n8n's main thread, added up by kind of work. */
async function mainThread(bench: Bench, range: Range): Promise<Chapter> {
	const noRepeats = { options: { removeDuplicates: true } };
	const sides: Record<string, Shares> = {};
	for (const [side, step] of Object.entries({
		'this package': exportStep(range),
		'with Remove Duplicates': exportStep(range, noRepeats),
		'HTTP Request': httpFile(bench, range),
	})) {
		sides[side] = sharesOf(await bench.n8n.profile(side, [step]));
	}
	const [[, ours], ...others] = Object.entries(sides);
	return {
		title: `Where n8n's main thread spends its time while this package exports ${size(range.bytes)}`,
		how: "By CPU profiles of one execution each; a profile makes everything a little slower. V8's own threads are not in it.",
		rows: Object.entries(ours).map(([kind, ms]) => ({
			side: kind,
			time: spread([ms]),
			note: others.map(([side, shares]) => `${side}: ${Math.round(shares[kind])} ms`).join(', '),
		})),
		checks: [],
	};
}
