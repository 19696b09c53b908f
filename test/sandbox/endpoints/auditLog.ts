/** Audit log: interface.md "Audit log". */
import { z } from 'zod/v4';

import { csvHead, csvRow } from '../model/auditCsv';
import type { AuditRange, StoredEvent } from '../model/auditEvents';
import { firstBytes } from '../server/deliver';
import type { Environment } from '../server/environment';
import { notFound } from '../server/errors';
import { readPage, type PagedList } from '../server/paging';
import { route, type Call, type RouteResponse } from '../server/route';
import { integer, time } from '../server/validation';
import type { Variants } from '../variants';

const searchTerm = z.string().optional();

/** All events in list order, and which are asked for; "shuffled" is by their IDs, which look random. */
function inOrder({ store, variants }: Environment, query: AuditRange): PagedList<StoredEvent> {
	const list = [...store.auditEvents.stored];
	if (variants.auditOrder === 'newestFirst') list.reverse();
	if (variants.auditOrder === 'shuffled') {
		list.sort((a, b) => (a.event.event_id < b.event.event_id ? -1 : 1));
	}
	const asked = new Set(store.auditEvents.select(query));
	return { list, keyOf: ({ sequence }) => String(sequence), counts: (stored) => asked.has(stored) };
}

export const queryAuditLog = route({
	at: 'GET /audit-log',
	query: {
		startTime: time.optional(),
		endTime: time.optional(),
		searchTerm,
		cursor: z.string().optional(),
		size: integer.min(0).max(100).default(50),
	},
	handle({ env, query, path }) {
		if (env.variants.auditQuery === 'missing') throw notFound('Path', path);
		const page = readPage(inOrder(env, query), query, env.variants);
		return { json: { ...page, items: page.items.map(({ event }) => event) } };
	},
});

interface Rows {
	bytes: number;
	pieces: Iterable<Buffer>;
}

/** Fixes what an export contains, however slowly it is read and whatever is recorded meanwhile. */
function rowsOf({ store }: Environment, range: AuditRange, variants: Variants): Rows {
	if (store.generated) return store.generated.between(range);
	const rows = store.auditEvents.select(range).map(({ event }) => csvRow(event, variants));
	const all = Buffer.from(rows.join(''));
	return { bytes: all.length, pieces: [all] };
}

/** An export with its header row, in the form that the variants give it. */
function wholeExport(rows: Rows, variants: Variants) {
	const isLeftOut = rows.bytes === 0 && variants.exportWithoutEvents === 'nothing';
	const head = Buffer.from(isLeftOut ? '' : csvHead(variants));
	const missing = variants.exportLastLineEnd || isLeftOut ? 0 : variants.exportLineEnd.length;
	const bytes = head.length + rows.bytes - missing;
	function* pieces(): Generator<Buffer> {
		yield head;
		yield* rows.pieces;
	}
	return { bytes, body: firstBytes(pieces(), bytes) };
}

function exportEvents(call: Call<AuditRange>): RouteResponse {
	const { env, query, path } = call;
	const { variants } = env;
	const onlyPath = path.endsWith('/audit-log/export') ? 'singular' : 'plural';
	if (variants.exportPath !== 'both' && variants.exportPath !== onlyPath) {
		throw notFound('Path', path);
	}
	const settled = { ...variants };
	const { bytes, body } = wholeExport(rowsOf(env, query, settled), settled);
	const type = { 'content-type': variants.exportContentType };
	const framing: Record<string, string> = {
		chunked: {},
		length: { 'content-length': String(bytes) },
		close: { connection: 'close' },
	}[variants.exportFraming];
	return { headers: { ...type, ...framing }, stream: body };
}

export const exportAuditLog = route({
	at: ['GET /audit-log/export', 'GET /audit-logs/export'],
	query: { startTime: time, endTime: time, searchTerm },
	adminOnly: true,
	paidOnly: true,
	handle: exportEvents,
});
