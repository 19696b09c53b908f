/** What V8's own threads take of the processor, as Linux counts it. */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/** Linux shows these times in hundredths of a second, whatever the machine. */
const MS_PER_TICK = 10;

/**
 * Processor time in milliseconds that the threads of V8 in a process have used since it began: they
 * mark what is still in use of the heap, and compile what runs often.
 */
export async function v8ThreadsMs(pid: number): Promise<number> {
	const folder = `/proc/${pid}/task`;
	let ticks = 0;
	for (const id of await readdir(folder)) {
		// A thread may have ended meanwhile.
		const stat = await readFile(path.join(folder, id, 'stat'), 'utf8').catch(() => '');
		if (!stat.includes('(V8Worker)')) continue;
		const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
		ticks += Number(fields[11]) + Number(fields[12]);
	}
	return ticks * MS_PER_TICK;
}
