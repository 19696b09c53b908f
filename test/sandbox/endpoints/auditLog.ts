/** Audit log: interface.md "Audit log". */
import { createGzip } from 'node:zlib';
import { Readable } from 'node:stream';

import { csvHead, csvRow } from '../model/auditCsv';
import type { StoredEvent } from '../model/auditEvents';
import { selectEvents, type AuditRange, type AuditSelection } from '../model/auditQuery';
import { isGenerated } from '../model/generatedEvents';
import type { Environment } from '../server/environment';
import { invalid, notFound } from '../server/errors';
import { readPage, type PagedList } from '../server/paging';
import { route, type RouteResponse, type Call, type Route, type Schema } from '../server/route';
import type { Variants } from '../variants';

const rangeQuery: Record<string, Schema> = {
	startTime: { type: 'string', format: 'date-time' },
	endTime: { type: 'string', format: 'date-time' },
	searchTerm: { type: 'string' },
};

function select(env: Environment, query: AuditRange): AuditSelection {
	return selectEvents(env.store.auditSource, query, env.clock.now());
}

const keyOf = (stored: StoredEvent) => `${stored.micros}.${stored.sequence}`;

/** The selection in list order. "Shuffled" is a fixed permutation of the positions. */
function inOrder(selection: AuditSelection, variants: Variants): PagedList<StoredEvent> {
	const { source, from, to } = selection;
	const length = to - from;
	// An odd stride that shares no factor with the length visits each position once.
	const stride = variants.auditOrder === 'shuffled' ? strideFor(length) : 1;
	const indexOf = (position: number) =>
		variants.auditOrder === 'newestFirst'
			? to - 1 - position
			: from + ((position * stride) % length);
	let positions: number[] | undefined;
	if (selection.matches) {
		positions = [];
		for (let position = 0; position < length; position += 1) {
			if (selection.matches(source.at(indexOf(position)))) positions.push(position);
		}
	}
	return {
		length,
		at: (position) => source.at(indexOf(position)),
		keyOf,
		locate(key) {
			const [micros, sequence] = key.split('.').map(Number);
			if (!Number.isSafeInteger(micros) || !Number.isSafeInteger(sequence)) return undefined;
			let index = source.firstAtOrAfter(micros);
			while (
				index < to &&
				source.at(index).micros === micros &&
				source.at(index).sequence < sequence
			)
				index += 1;
			const exact = index < to && keyOf(source.at(index)) === key;
			if (variants.auditOrder === 'newestFirst') {
				return { position: exact ? to - 1 - index : to - index, exact };
			}
			if (stride === 1) return { position: index - from, exact };
			for (let position = 0; position < length; position += 1) {
				if (indexOf(position) === index) return { position, exact };
			}
			return undefined;
		},
		positions,
	};
}

function strideFor(length: number): number {
	const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b));
	let stride = Math.floor(length * 0.618) | 1;
	while (gcd(stride, length) > 1) stride += 2;
	return stride;
}

const queryAuditLog = route<AuditRange & { cursor?: string; size: number }>({
	endpoint: 'queryAuditLog',
	at: 'GET /audit-log',
	success: 200,
	query: {
		...rangeQuery,
		cursor: { type: 'string' },
		size: { type: 'integer', minimum: 0, maximum: 100, default: 50 },
	},
	handle({ env, query, path }) {
		if (env.variants.auditQuery === 'missing') throw notFound('Path', path);
		const page = readPage(inOrder(select(env, query), env.variants), query, env.variants);
		return { json: { ...page, items: page.items.map(({ event }) => event) } };
	},
});

const PIECE_BYTES = 64 * 1024;

/** Makes the rows of a part again each time it is called. */
interface Rows {
	bytes(): number;
	pieces(): Generator<Buffer>;
}

function* recordedRows(events: StoredEvent[], variants: Variants): Generator<Buffer> {
	let text = '';
	for (const { event } of events) {
		text += csvRow(event, variants);
		if (text.length >= PIECE_BYTES) {
			yield Buffer.from(text);
			text = '';
		}
	}
	yield Buffer.from(text);
}

/** Fixes what an export contains, however slowly it is read and whatever is recorded meanwhile. */
function rowsOf(selection: AuditSelection, variants: Variants): Rows {
	const { source, from, to, matches } = selection;
	if (isGenerated(selection)) {
		return {
			bytes: () => selection.source.csvLength(from, to),
			pieces: () => selection.source.csv(from, to),
		};
	}
	const events: StoredEvent[] = [];
	for (let index = from; index < to; index += 1) {
		const stored = source.at(index);
		if (!matches || matches(stored)) events.push(stored);
	}
	return {
		bytes: () => [...recordedRows(events, variants)].reduce((sum, { length }) => sum + length, 0),
		pieces: () => recordedRows(events, variants),
	};
}

/** An export with its header row, in the form that the variants give it. */
function wholeExport(rows: Rows, variants: Variants): Rows {
	const rowBytes = rows.bytes();
	const isLeftOut = rowBytes === 0 && variants.exportWithoutEvents === 'nothing';
	const head = Buffer.from(isLeftOut ? '' : csvHead(variants));
	const missing = variants.exportLastLineEnd || isLeftOut ? 0 : variants.exportLineEnd.length;
	const bytes = head.length + rowBytes - missing;
	function* pieces(): Generator<Buffer> {
		yield head;
		yield* rows.pieces();
	}
	return { bytes: () => bytes, pieces: () => firstBytes(pieces(), bytes) };
}

function* firstBytes(pieces: Iterable<Buffer>, bytes: number): Generator<Buffer> {
	let left = bytes;
	for (const piece of pieces) {
		if (left > 0) yield piece.subarray(0, left);
		left -= piece.length;
	}
}

function exportEvents(call: Call<AuditRange>): RouteResponse {
	const { env, query, path } = call;
	const { variants } = env;
	const onlyPath = path.endsWith('/audit-log/export') ? 'singular' : 'plural';
	if (variants.exportPath !== 'both' && variants.exportPath !== onlyPath) {
		throw notFound('Path', path);
	}
	for (const name of ['startTime', 'endTime'] as const) {
		if (query[name] === undefined) throw invalid(`query.${name}`, 'Field required');
	}
	const settled = { ...variants };
	const whole = wholeExport(rowsOf(select(env, query), settled), settled);
	const body = whole.pieces();
	const type = { 'content-type': variants.exportContentType };
	if (variants.exportGzip) {
		const stream = Readable.from(body, { objectMode: false }).pipe(createGzip({ level: 1 }));
		return { headers: { ...type, 'content-encoding': 'gzip' }, stream };
	}
	const framing: Record<string, string> = {
		chunked: {},
		length: { 'content-length': String(whole.bytes()) },
		close: { connection: 'close' },
	}[variants.exportFraming];
	return { headers: { ...type, ...framing }, stream: body };
}

const exportAuditLog = route<AuditRange>({
	endpoint: 'exportAuditLog',
	at: ['GET /audit-log/export', 'GET /audit-logs/export'],
	success: 200,
	query: rangeQuery,
	adminOnly: true,
	paidOnly: true,
	handle: exportEvents,
});

export const auditLogRoutes: Route[] = [queryAuditLog, exportAuditLog];
