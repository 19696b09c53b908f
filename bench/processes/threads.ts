/** Which threads of a process the processor time goes to, as Linux counts it. */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/** Processor time in milliseconds. */
export interface ThreadTimes {
	/** The thread that runs JavaScript. */
	main: number;
	/** V8's own: nearly all of it is marking what is still in use of the heap. */
	v8: number;
	/** Those that read and write files. */
	files: number;
	others: number;
}

/** Linux shows these times in hundredths of a second, whatever the machine. */
const MS_PER_TICK = 10;

const KINDS: Record<string, keyof ThreadTimes> = { V8Worker: 'v8', 'libuv-worker': 'files' };

/** The time that each kind of threads has used since the process began. */
export async function threadTimes(pid: number): Promise<ThreadTimes> {
	const folder = `/proc/${pid}/task`;
	const times: ThreadTimes = { main: 0, v8: 0, files: 0, others: 0 };
	for (const id of await readdir(folder)) {
		// A thread may have ended meanwhile.
		const stat = await readFile(path.join(folder, id, 'stat'), 'utf8').catch(() => undefined);
		if (stat === undefined) continue;
		const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
		const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
		const kind = Number(id) === pid ? 'main' : (KINDS[name] ?? 'others');
		times[kind] += (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
	}
	return times;
}

/** What was used between two readings. */
export function usedBetween(before: ThreadTimes, after: ThreadTimes): ThreadTimes {
	const used = { ...after };
	for (const kind of Object.keys(used) as Array<keyof ThreadTimes>) used[kind] -= before[kind];
	return used;
}
