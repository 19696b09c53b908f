import { type Bench, expectItems, workflowSide } from '../bench';
import { atLeast, type Chapter, inRounds, ratio, row } from '../measure';
import type { Measured } from '../n8n/n8n';
import { extractFromFile, floor, httpRequest, MEASURED, wherobots } from '../n8n/steps';
import type { PapaparseFunctions } from '../processes/papaparse';
import { startRemote } from '../processes/remote';
import { flatMemory, size, speed } from './sizes';

/** What the stand-in's `generateEvents` returns. */
interface Range {
	start: string;
	end: string;
	bytes: number;
	rows: number;
}

const queryOf = ({ start, end }: Range) => ({ startTime: start, endTime: end });

function exportStep({ start, end }: Range, parameters: Record<string, unknown> = {}) {
	const chosen = {
		resource: 'auditLog',
		operation: 'export',
		timeRange: 'custom',
		from: start,
		to: end,
	};
	return wherobots({ ...chosen, ...parameters });
}

function httpFile({ target }: Bench, range: Range) {
	return httpRequest(`${target.baseUrl}/audit-log/export`, {
		query: queryOf(range),
		options: { response: { response: { responseFormat: 'file', outputPropertyName: 'data' } } },
	});
}

/** Its first quarter: the stand-in's events are spread evenly, and Remove Duplicates takes two million. */
function quarterOf({ start, end, bytes, rows }: Range): Range {
	const until = Date.parse(start) + (Date.parse(end) - Date.parse(start)) / 4;
	return { start, end: new Date(until).toISOString(), bytes: bytes / 4, rows: rows / 4 };
}

/** The stand-in's events come a thousand at a time, so that a part of them has up to a thousand more or fewer at either end. */
const PART_TOLERANCE = 2_000;

function whole({ rows }: Range, tolerance = 0): (run: Measured) => void {
	return ({ nodes }) => {
		const { first } = nodes[MEASURED];
		if (Math.abs(Number(first?.rows) - rows) <= tolerance) return;
		throw new Error(`The file holds ${first?.rows} of ${rows} rows`);
	};
}

/** A large export as a file in n8n's store. */
export async function exportFile(bench: Bench): Promise<Chapter[]> {
	const { n8n, scale, service } = bench;
	// The small one first, in a fresh process: what stays resident counts for the large one.
	await n8n.restart();
	const little = await service.generateEvents(scale.fileBytes / 100);
	const small = await inRounds(
		{ ours: await workflowSide(bench, 'Small export', [exportStep(little)], whole(little)) },
		scale.longRounds,
		2,
	);
	const range = await service.generateEvents(scale.fileBytes);
	const exporting = await workflowSide(bench, 'Export', [exportStep(range)], whole(range));
	const large = await inRounds({ ours: exporting }, 1, 0);

	const part = quarterOf(range);
	const distinct = exportStep(part, { options: { removeDuplicates: true } });
	const { ours, dedup, drain, drainPart, http } = await inRounds(
		{
			ours: exporting,
			dedup: await workflowSide(
				bench,
				'Export, no repeats',
				[distinct],
				whole(part, PART_TOLERANCE),
			),
			drain: await workflowSide(bench, 'Export: drain', [floor('drain', [queryOf(range)])]),
			drainPart: await workflowSide(bench, 'Drain a quarter', [floor('drain', [queryOf(part)])]),
			http: await workflowSide(bench, 'Export: HTTP Request', [httpFile(bench, range)]),
		},
		scale.longRounds,
		0,
	);
	const of = (side: typeof ours, { bytes } = range) => speed(bytes, side);
	const drained = "× the speed of n8n's helper, thrown away";
	return [
		{
			title: `Stream a ${size(scale.fileBytes)} audit export into n8n's file store`,
			how: `${range.rows.toLocaleString('en')} events. The package always counts the rows and takes the SHA-256 of a file; there is no mode without.`,
			rows: [
				row('this package', ours, of(ours)),
				row('this package, a quarter of it with Remove Duplicates on', dedup, of(dedup, part)),
				row('HTTP Request, response as a file', http, of(http)),
				row("n8n's request helper, read and thrown away", drain, of(drain)),
				row("n8n's request helper, a quarter of it", drainPart, of(drainPart, part)),
			],
			checks: [
				// The work of a node comes on top of the time that n8n takes to hand it the bytes.
				atLeast(0.6, drained, ratio(drain, ours)),
				atLeast(1.5, '× the speed of HTTP Request into a file', ratio(http, ours)),
				flatMemory(scale.fileBytes, small.ours, large.ours),
				// Seven tenths of what a plain export has to reach.
				atLeast(0.42, `${drained}, with Remove Duplicates`, ratio(drainPart, dedup)),
			],
		},
	];
}

/** An export as items. */
export async function exportItems(bench: Bench): Promise<Chapter[]> {
	const { install, n8n, scale, service, target } = bench;
	await n8n.restart();
	const range = await service.generateEvents(scale.itemBytes);
	const steps = [exportStep(range, { output: 'items', returnAll: true })];
	const extract = extractFromFile();
	const extracting = await workflowSide(
		bench,
		'Items: Extract from File',
		[httpFile(bench, range), extract],
		expectItems(range.rows, extract.name),
	);
	const bare = await startRemote<PapaparseFunctions>('papaparse', install.node.bin);
	try {
		await bare.call.fetch(target, queryOf(range));
		const samples = await inRounds(
			{
				ours: await workflowSide(bench, 'Items', steps, expectItems(range.rows)),
				papaparse: async () => await bare.call.parse(range.rows),
				extract: async () => {
					const sample = await extracting();
					return { ...sample, ms: sample.run.nodes[extract.name].ms };
				},
			},
			scale.longRounds,
		);
		return [
			{
				title: `Parse a ${size(scale.itemBytes)} export into items`,
				how: `${range.rows.toLocaleString('en')} events. The time of the package includes the transfer from the service; that of Extract from File begins when HTTP Request has stored the file, that of papaparse when the text is in memory.`,
				rows: [
					row('this package, transfer included', samples.ours),
					row('Extract from File, transfer not included', samples.extract),
					row('papaparse alone, no n8n', samples.papaparse),
				],
				checks: [
					atLeast(0.9, '× the speed of papaparse alone', ratio(samples.papaparse, samples.ours)),
					atLeast(2, '× as fast as Extract from File', ratio(samples.extract, samples.ours)),
				],
			},
		];
	} finally {
		await bare.stop();
	}
}
