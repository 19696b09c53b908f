import { loadavg } from 'node:os';
import path from 'node:path';

import { writeMarkedPart } from '../../../scripts/lib/markedPart';
import { REPOSITORY } from '../../../scripts/lib/paths';

export type Row = Array<string | number>;

/**
 * Shows a table of what was measured, and puts it with its date into a document of `bench/`, between the
 * marks of a part.
 *
 * @param isShort for a form that checks everything and measures nothing: the document stays as it is
 */
export async function reportIn(
	document: string,
	part: string,
	[head, ...rows]: Row[],
	isShort: boolean,
): Promise<void> {
	const lines = [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`);
	process.stderr.write(`\n${part}\n${lines.join('\n')}\n`);
	if (isShort) return;
	const date = new Date().toISOString().slice(0, 10);
	const load = loadavg()[2].toFixed(1);
	const text = [...lines, '', `Measured on ${date}; load of the two cores: ${load}.`].join('\n');
	await writeMarkedPart(path.join(REPOSITORY, 'bench', document), part, text);
}
