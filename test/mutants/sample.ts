/** Some lines of some parts, for a night: the same ones for the same day, and all parts in their turn. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';

import ts from 'typescript';

import { PARTS } from './parts';

const REPOSITORY = path.join(__dirname, '../..');
export const SOURCES = path.join(REPOSITORY, 'nodes/Wherobots');

const PARTS_A_DAY = 8;
const RANGES_A_PART = 3;
const LINES_A_RANGE = 20;

/** The sources that patterns name, from nodes/Wherobots on; those with an exclamation mark are left out. */
export function filesOf(patterns: string[]): string[] {
	const left = patterns.filter((pattern) => pattern.startsWith('!')).map((it) => it.slice(1));
	const named = patterns.filter((pattern) => !pattern.startsWith('!'));
	return ts.sys
		.readDirectory(SOURCES, ['.ts'], left, named)
		.map((file) => path.relative(SOURCES, file));
}

/** The ranges of lines of a file, as Stryker names them: `nodes/Wherobots/some/file.ts:21-40`. */
function rangesOf(file: string): string[] {
	const from = path.relative(REPOSITORY, path.join(SOURCES, file));
	const lines = readFileSync(path.join(SOURCES, file), 'utf8').split('\n').length;
	return Array.from({ length: Math.ceil(lines / LINES_A_RANGE) }, (_, at) => {
		const first = at * LINES_A_RANGE + 1;
		return `${from}:${first}-${Math.min(lines, first + LINES_A_RANGE - 1)}`;
	});
}

/** Chooses by chance, which the seed decides. */
function draw(names: string[], count: number, seed: string): string[] {
	const place = (name: string) => createHash('sha256').update(`${seed} ${name}`).digest('hex');
	return [...names].sort((a, b) => (place(a) < place(b) ? -1 : 1)).slice(0, count);
}

/**
 * Where mistakes are planted on a day, by part.
 *
 * @param day such as 2026-11-23
 */
export function sampleOf(day: string): Record<string, string[]> {
	const parts = draw(Object.keys(PARTS), PARTS_A_DAY, day);
	return Object.fromEntries(
		parts.map((part) => {
			const ranges = filesOf(PARTS[part].sources).flatMap(rangesOf);
			return [part, draw(ranges, RANGES_A_PART, day)];
		}),
	);
}
