import { loadavg } from 'node:os';
import path from 'node:path';
import { env } from 'node:process';

import { writeMarkedPart } from '../../../scripts/lib/markedPart';
import { REPOSITORY } from '../../../scripts/lib/paths';

const FILE = path.join(REPOSITORY, 'docs', 'queue-mode-measurements.md');

/** Whether the short form is wanted, which checks everything and measures nothing. */
export const SHORT = env.N8N_NODES_WHEROBOTS_QUEUE_SHORT === 'true';

export type Row = Array<string | number>;

/**
 * Puts a table with its date into its part of docs/queue-mode-measurements.md, between the marks of
 * that name. The short form leaves the file as it is.
 */
export async function report(part: string, head: string[], rows: Row[]): Promise<void> {
	const lines = [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`);
	process.stderr.write(`\n${part}\n${lines.join('\n')}\n`);
	if (SHORT) return;
	const date = new Date().toISOString().slice(0, 10);
	const load = loadavg()[2].toFixed(1);
	const text = [...lines, '', `Measured on ${date}; load of the two cores: ${load}.`].join('\n');
	await writeMarkedPart(FILE, part, text);
}
