/** The stand-in for the service, without its rate limit until it is switched on. */
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

import { type FaultHandle, type Sandbox, startSandbox } from '../../test/sandbox';
import { arrowStream } from '../../test/sandbox/sql/arrow';
import { PUBLISHED } from '../pace';
import { asTexts, selectRows, SQL_COLUMNS, sqlRows } from '../sqlRows';
import { serve } from './remote';

const DAY_MS = 86_400_000;

/** Of the columns of SQL_COLUMNS. */
const SQL_TYPES = [
	...['long', 'long', 'long', 'double', 'double', 'string', 'string', 'string'],
	...['timestamptz', 'geometry'],
];

/** Where the service is, and a key for it. */
export interface Target {
	baseUrl: string;
	apiKey: string;
}

/** How a node waited for runs. */
export interface WaitFigures {
	count: number;
	/** For each run, the time from its end to the first request for it, in milliseconds. */
	noticedMs: number[];
	/** Requests for runs and lists in the busiest minute, and in all, without that one for each end. */
	perMinute: number;
	rounds: number;
	refused: number;
}

function serviceFunctions(sandbox: Sandbox) {
	let latency: FaultHandle | undefined;
	return {
		address(): Target {
			return { baseUrl: sandbox.baseUrl, apiKey: sandbox.credentials.admin.apiKey };
		},

		/** Adds runs and returns their IDs. */
		seedRuns(count: number, status: string, name = 'nightly-load'): string[] {
			const begin = Date.now() - DAY_MS;
			return Array.from({ length: count }, (_, index) => {
				const createTime = begin + Math.floor((index / count) * (DAY_MS / 2));
				return sandbox.store.createRun({ name: `${name}-${index}`, status, createTime }).id;
			});
		},

		/** Moves the service's clock forward. */
		passTime(ms: number): void {
			sandbox.clock.advance(ms);
		},

		moveRuns(ids: string[], status: string): void {
			for (const id of ids) sandbox.store.moveRun(id, status);
		},

		/** Delays each response by this long; 0 for no delay. */
		setLatency(ms: number): void {
			latency?.remove();
			latency = ms > 0 ? sandbox.faults.add({ fault: { kind: 'delay', ms } }) : undefined;
		},

		/** How long runs take from now on, from their creation to their end. */
		makeRunsLast(ms: number): void {
			Object.assign(sandbox.timings, { pendingMs: 5_000, runningMs: ms - 5_000 });
		},

		/** How the ends of all runs were noticed. */
		waitFigures(): WaitFigures {
			const ends = new Map(
				sandbox.store.runs.all().map(({ id, transitions }) => [id, transitions.at(-1)?.at ?? NaN]),
			);
			const isRefused = ({ status }: { status?: number }) => status === 429;
			const asked = sandbox.requests
				.all()
				.filter((each) => ['getRun', 'listRuns'].includes(each.endpoint ?? '') && !isRefused(each));
			// A node reads a run that has ended by itself, unless a list has shown all of it.
			const notices = [...ends].flatMap(([id, end]) => {
				const after = asked.filter(({ at }) => at >= end);
				const own = after.find(({ path }) => path.endsWith(`/${id}`));
				const first = own ?? after.find(({ endpoint }) => endpoint === 'listRuns');
				return first ? [{ own, ms: first.at - end }] : [];
			});
			const owns = new Set(notices.map(({ own }) => own));
			const others = asked.filter((each) => !owns.has(each)).map(({ at }) => at);
			const inMinute = (begin: number) => others.filter((at) => begin <= at && at < begin + 60_000);
			return {
				count: sandbox.store.runs.size,
				noticedMs: notices.map(({ ms }) => ms),
				perMinute: Math.max(...others.map((at) => inMinute(at).length)),
				rounds: others.length,
				refused: sandbox.requests.all().filter(isRefused).length,
			};
		},

		setRateLimit(on: boolean): void {
			sandbox.variants.rateLimit = on && PUBLISHED;
		},

		/** Makes audit exports contain about this many bytes from now on. */
		generateEvents(bytes: number) {
			const end = new Date(Date.now() - 60_000).toISOString();
			const start = new Date(Date.parse(end) - 60 * DAY_MS).toISOString();
			const events = sandbox.store.useGeneratedEvents({ bytes, start, end });
			return { start, end, bytes: events.csvLength(0, events.length), rows: events.length };
		},

		/** Makes the statement of `selectRows` return so many rows from now on; sessions are ready at once. */
		prepareRows(count: number) {
			const rows = [...sqlRows(count)];
			const columns = SQL_COLUMNS;
			const arrow = arrowStream({ columns, rows, geometryColumns: [], types: {} });
			// The quality that compresses about as much as gzip; the highest one takes minutes.
			const params = { [constants.BROTLI_PARAM_QUALITY]: 4 };
			const brotli = brotliCompressSync(arrow, { params });
			const compressed = { gzip: gzipSync(arrow), brotli };
			const lines = [columns, ...rows.map(asTexts)].map((texts) => `${texts.join(',')}\n`);
			const file = Buffer.from(lines.join(''));
			const exact = { arrow, compressed, file };
			sandbox.sql.answer(selectRows(count), { columns, geometryColumns: ['place'], ...exact });
			sandbox.timings.sqlStartMs = 0;
			return { bytes: arrow.length, gzip: compressed.gzip.length, fileBytes: file.length };
		},

		/** Makes statements that insert rows take so long, and returns the table for them. */
		prepareInserts(seconds: number, secondsOfFile: number) {
			const { catalogs, storages } = sandbox.store;
			if (!catalogs.get('bench')) {
				const catalog = catalogs.create({ id: 'bench', name: 'bench' });
				const fields = SQL_COLUMNS.map((name, at) => ({ name, type: SQL_TYPES[at] }));
				catalogs.addTable(catalog, 'bench', { name: 'rows', fields });
				const path = 's3://bench-managed';
				storages.create({ id: 'managed', name: 'managed', path, type: 'MANAGED' });
			}
			sandbox.sql.answer(/^INSERT/, (statement) => ({
				seconds: statement.includes(' FROM text.') ? secondsOfFile : seconds,
			}));
			sandbox.timings.sqlStartMs = 0;
			const by = (mode: string, value: string) => ({ __rl: true, mode, value });
			const place = { catalogId: by('id', 'bench'), namespace: by('name', 'bench') };
			const row = { mappingMode: 'autoMapInputData', value: null };
			return { ...place, table: by('name', 'rows'), row };
		},

		/** The bytes of the last file that was uploaded. */
		lastUpload(): { bytes: number } {
			const { headers } = sandbox.presigned.requests.at(-1) ?? {};
			return { bytes: Number(headers?.['content-length']) };
		},

		/** Puts a file of this many bytes into a storage. */
		putFile(bytes: number): { sha256: string } {
			const { storages } = sandbox.store;
			if (!storages.get('bench')) {
				storages.create({ id: 'bench', name: 'bench', path: 's3://bench' });
			}
			return storages.putGenerated('bench', 'large.bin', bytes);
		},

		/** The checksum of the file at a path of the storage. */
		checksumOf(path: string): string | undefined {
			return sandbox.store.storages.get('bench')?.files.get(path)?.sha256;
		},

		/** Requests since the last call, by their endpoint and by the status of the response. */
		takeCounts(): Record<string, number> {
			const counts: Record<string, number> = { total: sandbox.requests.count };
			for (const { endpoint = 'unknown', status } of sandbox.requests.all()) {
				for (const name of [endpoint, String(status)]) counts[name] = (counts[name] ?? 0) + 1;
			}
			sandbox.requests.clear();
			return counts;
		},

		/** What each request for the first page of a list of runs asked for, since the last count. */
		listsOfRuns() {
			const lists = sandbox.requests.of('listRuns').map(({ query }) => query);
			return lists.filter(({ cursor }) => cursor === undefined);
		},
	};
}

export type ServiceFunctions = ReturnType<typeof serviceFunctions>;

void startSandbox().then((sandbox) => serve(serviceFunctions(sandbox)));
