import { readFile, writeFile } from 'node:fs/promises';

/** What a document has between the marks of a part, without the empty lines around it. */
export function markedPart(document: string, part: string): string {
	const [from, to] = bounds(document, part);
	return document.slice(from, to).trim();
}

/**
 * Replaces a part of a Markdown file: what is between `<!-- begin: PART -->` and
 * `<!-- end: PART -->`.
 */
export async function writeMarkedPart(file: string, part: string, text: string): Promise<void> {
	const document = await readFile(file, 'utf8');
	const [from, to] = bounds(document, part);
	await writeFile(file, `${document.slice(0, from)}\n\n${text}\n\n${document.slice(to)}`);
}

function bounds(document: string, part: string): [from: number, to: number] {
	const [begin, end] = [`<!-- begin: ${part} -->`, `<!-- end: ${part} -->`];
	const [from, to] = [document.indexOf(begin), document.indexOf(end)];
	if (from < 0 || to < from) throw new Error(`The document has no part ${part}`);
	return [from + begin.length, to];
}
