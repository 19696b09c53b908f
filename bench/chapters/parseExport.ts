import path from 'node:path';

import { type Bench, expectItems, workflowSide } from '../lib/bench';
import { atLeast, type Chapter, type GrowthPoint, row } from '../lib/chapter';
import { inRounds, ratio } from '../lib/samples';
import { extractFromFile } from '../n8n/steps';
import { exportStep, httpFile, queryOf, size } from './exportFile';
import { pointOf } from './growthPoint';

const MIB = 2 ** 20;

/** An export as items. */
export async function parseExport(bench: Bench): Promise<Chapter> {
	const { floor: bare, n8n, scale, scratch, service, target } = bench;
	await n8n.restart();
	const asItems = { output: 'items', returnAll: true };
	const growth: GrowthPoint[] = [];
	for (const part of [100, 10]) {
		const bytes = scale.parseBytes / part;
		const range = await service.generateEvents(bytes);
		const steps = [exportStep(range, asItems)];
		const side = await workflowSide(bench, `Items of ${bytes}`, steps, expectItems(range.rows));
		const { ours } = await inRounds({ ours: side }, scale.longRounds);
		growth.push(pointOf('export as items (MiB)', bytes / MIB, ours));
	}

	const range = await service.generateEvents(scale.parseBytes);
	const file = path.join(scratch, 'parse.csv');
	await bare.keepExport(target, queryOf(range), file);
	const extract = extractFromFile();
	const extracting = await workflowSide(
		bench,
		'Items: Extract from File',
		[httpFile(bench, range), extract],
		expectItems(range.rows, extract.name),
	);
	const samples = await inRounds(
		{
			ours: await workflowSide(
				bench,
				'Items',
				[exportStep(range, asItems)],
				expectItems(range.rows),
			),
			papaparse: async () => await bare.parse(file),
			extract: async () => {
				const sample = await extracting();
				return { ...sample, ms: sample.run.nodes[extract.name].ms };
			},
		},
		scale.longRounds,
	);
	growth.push(pointOf('export as items (MiB)', scale.parseBytes / MIB, samples.ours));
	return {
		title: `Parse a ${size(scale.parseBytes)} export into items`,
		how: `${range.rows.toLocaleString('en')} events. The time of the package includes the transfer from the service; that of Extract from File begins when HTTP Request has stored the file, that of papaparse when the text is in memory.`,
		rows: [
			row('this package, transfer included', samples.ours),
			row('Extract from File, transfer not included', samples.extract),
			row('papaparse alone, no n8n', samples.papaparse),
		],
		checks: [
			atLeast(0.8, '× the speed of papaparse alone', ratio(samples.papaparse, samples.ours)),
			atLeast(3, '× as fast as Extract from File', ratio(samples.extract, samples.ours)),
		],
		growth,
	};
}
