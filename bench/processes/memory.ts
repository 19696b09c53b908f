/** The peak resident memory of a process, as Linux counts it. */
import { readFile, writeFile } from 'node:fs/promises';

const RESET_PEAK = '5';

/** Resets the peak (VmHWM) to what is resident now. */
export async function resetPeak(pid: number): Promise<void> {
	await writeFile(`/proc/${pid}/clear_refs`, RESET_PEAK);
}

/** The highest resident memory since the last reset, in bytes. */
export async function peakBytes(pid: number): Promise<number> {
	const status = await readFile(`/proc/${pid}/status`, 'utf8');
	const kibibytes = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1];
	if (!kibibytes) throw new Error(`The peak memory of process ${pid} cannot be read`);
	return Number(kibibytes) * 1024;
}

/** The only child of a process; of n8n's guard, this is n8n. */
export async function onlyChild(pid: number): Promise<number> {
	const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim().split(' ');
	if (children.length !== 1 || children[0] === '') {
		throw new Error(`Process ${pid} has ${children.length} children instead of one`);
	}
	return Number(children[0]);
}
