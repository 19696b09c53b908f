/** Brings together what the test files of one run have found, for the page about all of it. */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import type { PageCell } from './page';

/** The parts that the matrix is filled in, each by a test file: workers share them. */
export const PARTS = ['first', 'second', 'third', 'slow'] as const;

export type Part = (typeof PARTS)[number];

/** Set by jest's configuration, for all files of a run. */
const RUN = process.env.N8N_NODES_WHEROBOTS_TEST_RUN ?? String(process.pid);

const FOLDER = path.join(tmpdir(), `n8n-nodes-wherobots-matrix-${RUN}`);

/** Adds the cells of a part. Returns those of all parts once this was the last of them. */
export function bringTogether(part: Part, cells: PageCell[]): PageCell[] | undefined {
	mkdirSync(FOLDER, { recursive: true });
	// Renamed, so that nobody sees half of it.
	const half = path.join(FOLDER, `.${part}`);
	writeFileSync(half, JSON.stringify(cells));
	renameSync(half, path.join(FOLDER, part));
	const there = readdirSync(FOLDER);
	if (!PARTS.every((each) => there.includes(each))) return undefined;
	const all = PARTS.flatMap(
		(each) => JSON.parse(readFileSync(path.join(FOLDER, each), 'utf8')) as PageCell[],
	);
	rmSync(FOLDER, { recursive: true, force: true });
	return all;
}
