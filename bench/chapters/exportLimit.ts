import path from 'node:path';

import { type Bench, workflowSide } from '../lib/bench';
import { type Chapter, row } from '../lib/chapter';
import { inRounds, type Samples, spread } from '../lib/samples';
import { type Shares, sharesOf } from '../n8n/shares';
import { floor } from '../n8n/steps';
import { exportStep, httpFile, queryOf, type Range, size } from './exportFile';

/** Profiles hold a sample for each tenth of a millisecond or so; this much is enough for shares. */
const PROFILED_PART = 4;

/** Collections of the whole heap, and what V8's own threads spend on them. */
export function engineNote(samples: Samples): string {
	const median = (of: (sample: Samples[number]) => number | undefined) =>
		spread(samples.map((sample) => of(sample) ?? NaN)).median;
	const seconds = median(({ threads }) => threads?.v8) / 1000;
	return `${median(({ collections }) => collections)} collections of the whole heap, ${seconds.toFixed(1)} s of V8's own threads`;
}

/** How fast an export could be in n8n if nothing were done with it, and where the time goes. */
export async function exportLimit(bench: Bench): Promise<Chapter[]> {
	const { floor: bare, scale, scratch, service, target } = bench;
	const range = await service.generateEvents(scale.exportBytes);
	const query = queryOf(range);
	const { baseUrl } = target;
	const file = path.join(scratch, 'limit.csv');
	const drain = floor('drain', { baseUrl, items: JSON.stringify(query) });
	const axiosInN8n = floor('axiosToFile', { baseUrl, items: JSON.stringify({ query, file }) });
	const samples = await inRounds(
		{
			outside: async () => await bare.exportToFile(target, query, file),
			inside: await workflowSide(bench, 'Limit: axios', [axiosInN8n]),
			drain: await workflowSide(bench, 'Limit: drain', [drain]),
			ours: await workflowSide(bench, 'Limit: package', [exportStep(range)]),
		},
		scale.longRounds,
		0,
	);
	const limit: Chapter = {
		title: `What limits an export in n8n: the same ${size(scale.exportBytes)}`,
		how:
			'Every byte that arrives passes through memory that Node.js takes from outside the heap, and each 64 MiB of it make V8 ' +
			'go through the whole heap for what is still in use. n8n keeps some hundred MiB there, an empty process next to nothing: ' +
			'the same few lines of axios take longer inside n8n than outside, and on two cores the threads of V8 take the processor ' +
			'from everything else. A node cannot change that: it gets its bytes from n8n.',
		rows: [
			row('axios into a file, no n8n', samples.outside, engineNote(samples.outside)),
			row("axios into a file, in n8n's process", samples.inside, engineNote(samples.inside)),
			row("n8n's request helper, read and thrown away", samples.drain, engineNote(samples.drain)),
			row('this package', samples.ours, engineNote(samples.ours)),
		],
		checks: [],
	};
	const smaller = await service.generateEvents(scale.exportBytes / PROFILED_PART);
	return [limit, await mainThread(bench, smaller)];
}

/** CPU profiles of n8n's main thread, added up by kind of work. */
async function mainThread(bench: Bench, range: Range): Promise<Chapter> {
	const noRepeats = { options: { dropDuplicates: true } };
	const sides: Record<string, Shares> = {};
	for (const [side, step] of Object.entries({
		'this package': exportStep(range),
		'with Drop Duplicates': exportStep(range, noRepeats),
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
