import { type Bench, workflowSide } from '../bench';
import { type Chapter, inRounds, row, type Sample } from '../measure';
import type { Measured } from '../n8n/n8n';
import { MEASURED, wherobots } from '../n8n/steps';
import { flatMemory, size, speed } from './sizes';

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
export async function transfers(bench: Bench): Promise<Chapter[]> {
	const { n8n, scale } = bench;
	// The small one first, in a fresh process: what stays resident counts for the large one.
	await n8n.restart();
	const bytes = scale.fileBytes;
	const small = await thereAndBack(bench, Math.round(bytes / 100), 2);
	const large = await thereAndBack(bench, bytes, 0);
	const of = (node: string) => large.map(({ run }): Sample => ({ ms: run.nodes[node].ms }));
	const [download, upload] = [of('Download'), of(MEASURED)];
	return [
		{
			title: `Download ${size(bytes)} into n8n's file store, and upload it from there`,
			how: 'One after the other in one execution. The SHA-256 is taken both ways; the storage takes it too, in a process of its own.',
			rows: [
				row('this package, download', download, speed(bytes, download)),
				row('this package, upload', upload, speed(bytes, upload)),
				row('both', large),
			],
			checks: [flatMemory(bytes, small, large)],
		},
	];
}

async function thereAndBack(bench: Bench, bytes: number, warmUps: number) {
	const { scale, service } = bench;
	const { sha256 } = await service.putFile(bytes);
	const steps = [wherobots(DOWNLOAD, { name: 'Download' }), wherobots(UPLOAD)];
	const runs: Array<Sample & { run: Measured }> = [];
	const side = await workflowSide(bench, `Transfers of ${bytes}`, steps, ({ nodes }) => {
		if (nodes.Download.first?.sha256 !== sha256) throw new Error('The file is another one');
	});
	const noted = async () => {
		const sample = await side();
		runs.push(sample);
		return sample;
	};
	await inRounds({ noted }, scale.longRounds, warmUps);
	if ((await service.checksumOf('copy.bin')) !== sha256) throw new Error('The copy differs');
	return runs.slice(warmUps);
}
