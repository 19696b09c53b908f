import { type Bench, workflowSide } from '../lib/bench';
import { type Chapter, type GrowthPoint, row } from '../lib/chapter';
import { inRounds, peaks, spread, times, type Samples } from '../lib/samples';
import type { Measured } from '../n8n/n8n';
import { MEASURED, wherobots } from '../n8n/steps';
import { size } from './exportFile';
import { pointOf } from './growthPoint';

const MIB = 2 ** 20;
const MAX_GROWTH_MIB = 64;
/** Growth is shown over this many times the smallest work. */
const PARTS = [100, 10, 1];

const byId = (value: string) => ({ __rl: true, mode: 'id', value });
const byPath = (value: string) => ({ __rl: true, mode: 'path', value });
const FILE = { resource: 'file', storageId: byId('bench') };
const DOWNLOAD = { ...FILE, operation: 'download', filePath: byPath('large.bin') };
const UPLOAD = {
	...FILE,
	operation: 'upload',
	folder: byPath('/'),
	fileName: 'copy.bin',
	ifFileExists: 'replace',
};

/** Large files into n8n's file store, and out of it again. */
export async function fileTransfers(bench: Bench): Promise<Chapter> {
	const { n8n, scale, service } = bench;
	// Ascending in a fresh process: what stays resident counts for the larger size, not against it.
	await n8n.restart();
	const grown: Samples[] = [];
	const growth: GrowthPoint[] = [];
	let down: Samples = [];
	let both: Samples = [];
	for (const part of PARTS) {
		const bytes = Math.round(scale.exportBytes / part);
		const { sha256 } = await service.putFile(bytes);
		const whole = ({ nodes }: Measured) => {
			if (nodes[MEASURED].first?.sha256 !== sha256) throw new Error('The file is another one');
		};
		const download = wherobots(DOWNLOAD);
		const steps = [wherobots(DOWNLOAD, { name: 'Download' }), wherobots(UPLOAD)];
		const sides = {
			down: await workflowSide(bench, `Download of ${bytes}`, [download], whole),
			both: await workflowSide(bench, `Download and upload of ${bytes}`, steps, whole),
		};
		({ down, both } = await inRounds(sides, scale.longRounds, part === PARTS[0] ? 2 : 0));
		if ((await service.checksumOf('copy.bin')) !== sha256) throw new Error('The copy differs');
		grown.push([...down, ...both]);
		growth.push(pointOf('download into a file (MiB)', bytes / MIB, down));
		growth.push(pointOf('download and upload of a file (MiB)', bytes / MIB, both));
	}
	const more = peakOf(grown[grown.length - 1]) - peakOf(grown[0]);
	const speed = (side: Samples) =>
		`${Math.round(scale.exportBytes / MIB / (times(side).median / 1000))} MiB/s`;
	return {
		title: `Download ${size(scale.exportBytes)} into n8n's file store, and upload it from there`,
		how: 'The SHA-256 is taken both ways; the storage takes it too, in a process of its own.',
		rows: [
			row('this package, download', down, speed(down)),
			row('this package, download and upload', both, speed(both)),
		],
		checks: [
			{
				target: `peak memory at most ${MAX_GROWTH_MIB} MiB above that of ${size(scale.exportBytes / PARTS[0])}`,
				reached: `${(more / MIB).toFixed(0)} MiB above`,
				met: more <= MAX_GROWTH_MIB * MIB,
			},
		],
		growth,
	};
}

function peakOf(samples: Samples): number {
	return (peaks(samples) ?? spread([0])).median;
}
