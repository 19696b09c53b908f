/**
 * An external hook of n8n that notes in a file how much memory is in use after all garbage has been
 * collected: what remains then is held by somebody.
 */
import { appendFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

export interface MemorySample {
	/** Milliseconds since the epoch. */
	at: number;
	/** Bytes of objects and of buffers that are in use. */
	held: number;
	/** Resident bytes of the process. */
	rss: number;
}

const EVERY_MS = 10_000;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function note(): void {
	// Twice: what the first collection finalizes is freed by the second.
	collectGarbage();
	collectGarbage();
	const { heapUsed, external, rss } = process.memoryUsage();
	const sample: MemorySample = { at: Date.now(), held: heapUsed + external, rss };
	appendFileSync(process.env.SOAK_MEMORY as string, `${JSON.stringify(sample)}\n`);
}

setInterval(note, EVERY_MS).unref();
