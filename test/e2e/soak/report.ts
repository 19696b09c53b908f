import { writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import path from 'node:path';

import { linearRegression, median } from 'simple-statistics';

import { REPOSITORY } from '../../../scripts/lib/paths';
import { type MemorySample } from './memoryHook';
import { HOUR_MS } from '../suite/calendar';

const FILE = path.join(REPOSITORY, 'docs', 'soak.md');

/** A shorter soak checks and writes nothing. */
const SHORTEST_TO_WRITE = 15;

const MIB = 2 ** 20;

/** Until then n8n loads what it needs, and fills its caches. */
const WARM_UP = 0.4;

export interface Growth {
	/** Median of what was held in the first and in the last third after the warm-up, in MiB. */
	first: number;
	last: number;
	/** By a straight line through all samples after the warm-up, in MiB an hour. */
	perHour: number;
	/** Largest resident size, in MiB. */
	peak: number;
	samples: number;
}

export function growthOf(all: MemorySample[]): Growth {
	const samples = all.slice(Math.ceil(all.length * WARM_UP));
	const third = Math.floor(samples.length / 3);
	const held = samples.map((sample) => sample.held / MIB);
	const line = linearRegression(samples.map(({ at }, index) => [at / HOUR_MS, held[index]]));
	return {
		first: median(held.slice(0, third)),
		last: median(held.slice(-third)),
		perHour: line.m,
		peak: Math.max(...all.map(({ rss }) => rss / MIB)),
		samples: samples.length,
	};
}

/** Shows the figures, and puts them into docs/soak.md after a long soak. */
export async function report(minutes: number, rows: Array<[string, string | number]>) {
	const table = [['figure', 'value'], ['---', '---'], ...rows].map(
		(row) => `| ${row.join(' | ')} |`,
	);
	process.stderr.write(`\n${table.join('\n')}\n`);
	if (minutes < SHORTEST_TO_WRITE) return;
	const date = new Date().toISOString().slice(0, 10);
	const load = loadavg()[2].toFixed(1);
	const text = [
		'# Soak',
		'',
		'`npm run soak` runs the packed package in a real n8n (one process, SQLite) for an hour, against a stand-in for the service that injects a fault every few seconds: error statuses, 429s, connections that are reset before or after the request was carried out, truncated responses, broken or stalled exports, delays. Meanwhile,',
		'',
		'- two published triggers follow job runs and the audit log,',
		'- two executions at a time each submit a run and wait for it to end; one run in four fails,',
		'- executions, one at a time, export a day of 5,000 audit events to a file.',
		'',
		'At the end, everything has to add up: each event has started exactly one execution, each export has stored the same bytes that the service has, and each submission has led to exactly one run, or to none and an error that says so. Memory is measured right after a full garbage collection. `-- --minutes 5` checks in five minutes.',
		'',
		`Run on ${date} for ${minutes} minutes; system load on two cores: ${load}.`,
		'',
		...table,
		'',
	];
	await writeFile(FILE, text.join('\n'));
}
