/**
 * How fast rows are found in the bytes of an export: the scanner of the package, `Buffer.indexOf`, a
 * loop over the bytes, and SHA-256, which an export takes as well. `npm run bench:rows` prints MiB/s, the best of
 * ten rounds each; nothing else should be running.
 */
import { createHash } from 'node:crypto';

import { RowScanner } from '../nodes/Wherobots/transport/auditExport/rowScanner';

const ROWS = 3_000;
const REPEATS = 50;
const ROUNDS = 10;
const BLOCK_BYTES = 128 * 1024;
const MIB = 2 ** 20;
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140';

type Quoting =
	| 'no value'
	| 'user_agent in each third row'
	| 'user_agent'
	| 'each value'
	| 'two values, with quotes in them';

function exported(quoting: Quoting): Buffer {
	const hasQuotes = quoting === 'two values, with quotes in them';
	const rows = Array.from({ length: ROWS }, (_, index) => {
		const isQuoted =
			quoting.startsWith('user_agent') && (quoting === 'user_agent' || index % 3 === 0);
		const digits = String(index).padStart(12, '0');
		const values = [
			`0b6f1c1e-5b7d-4b0e-9c2e-${digits}`,
			'2026-01-31T08:15:00.123456+00:00',
			'CREATE_JOB_RUN',
			`3b6f1c1e-5b7d-4b0e-9c2e-${digits}`,
			`person${index % 17}@example.com`,
			hasQuotes
				? '"Mozilla/5.0 (X11; Linux x86_64) ""Gecko"", like"'
				: isQuoted
					? `"${BROWSER}"`
					: 'python-requests/2.31.0',
			`203.0.113.${index % 250}`,
			hasQuotes ? `"nightly ""load"", part ${index}"` : `nightly-load-part-${index}`,
			`resource-${index}`,
			'aws-us-west-2',
		];
		const quoted = values.map((value) => (quoting === 'each value' ? `"${value}"` : value));
		return `${quoted.join(',')}\n`;
	});
	return Buffer.from(rows.join(''));
}

/** What the scanner does, written in the most obvious way. */
function scanBytes(blocks: Buffer[]): number {
	let rows = 0;
	let quoted = false;
	for (const block of blocks) {
		for (const byte of block) {
			if (byte === 0x22) quoted = !quoted;
			else if (byte === 0x0a && !quoted) rows += 1;
		}
	}
	return rows;
}

function scanRows(blocks: Buffer[]): number {
	const scanner = new RowScanner();
	for (const block of blocks) scanner.scan(block);
	return scanner.rows;
}

/** The same with `Buffer.indexOf`: from one quote or line feed to the next. */
function searchRows(blocks: Buffer[]): number {
	let rows = 0;
	let quoted = false;
	for (const block of blocks) {
		const next = (byte: number, from: number) => {
			const at = block.indexOf(byte, from);
			return at < 0 ? block.length : at;
		};
		let quote = next(0x22, 0);
		let feed = next(0x0a, 0);
		while ((quoted ? quote : Math.min(quote, feed)) < block.length) {
			if (!quoted && feed < quote) {
				rows += 1;
				feed = next(0x0a, feed + 1);
			} else {
				quoted = !quoted;
				if (!quoted && feed < quote) feed = next(0x0a, quote + 1);
				quote = next(0x22, quote + 1);
			}
		}
	}
	return rows;
}

function hash(blocks: Buffer[]): number {
	const sha256 = createHash('sha256');
	for (const block of blocks) sha256.update(block);
	sha256.digest();
	return ROWS * REPEATS;
}

function speedOf(work: (blocks: Buffer[]) => number, blocks: Buffer[], bytes: number): number {
	let best = Infinity;
	for (let round = 0; round < ROUNDS; round += 1) {
		const startedAt = performance.now();
		if (work(blocks) !== ROWS * REPEATS) throw new Error('The rows were counted wrong');
		best = Math.min(best, performance.now() - startedAt);
	}
	return Math.round(bytes / MIB / (best / 1000));
}

for (const quoting of [
	'no value',
	'user_agent in each third row',
	'user_agent',
	'each value',
	'two values, with quotes in them',
] satisfies Quoting[]) {
	const text = Buffer.concat(Array.from({ length: REPEATS }, () => exported(quoting)));
	const blocks: Buffer[] = [];
	for (let at = 0; at < text.length; at += BLOCK_BYTES) {
		blocks.push(text.subarray(at, at + BLOCK_BYTES));
	}
	const speeds = Object.entries({
		scanner: scanRows,
		indexOf: searchRows,
		bytes: scanBytes,
		SHA256: hash,
	}).map(([name, work]) => `${name} ${speedOf(work, blocks, text.length)}`);
	process.stdout.write(`quotes around ${quoting}: ${speeds.join(', ')}\n`);
}
