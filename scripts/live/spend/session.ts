/** One SQL session with twelve statements. */
import { randomUUID } from 'node:crypto';

import {
	getAddress,
	isOver,
	parseSessionId,
	toSocketUrl,
} from '../../../nodes/Wherobots/service/sql/protocol';
import { buildCreate } from '../../../nodes/Wherobots/service/tables/createTable';
import { toTableName } from '../../../nodes/Wherobots/service/tables/names';
import { errorsOf, isOk, ok, recordOf, type Answer } from '../api';
import { text, type Live } from '../context';
import { isRecord, recordsIn, type Json } from '../shape';
import type { Made } from './made';
import { SqlSocket, type Message } from './socket';

const POLL_MS = 3_000;

const LONGEST_MS = 15 * 60_000;

const STORED = { single: 'true', generate_presigned_url: 'true' };

const POINT = 'SELECT ST_Point(7.1, 50.7) AS geometry';

/** What is sent, in this order. The sandbox has an answer to each (test/sandbox/seed/sql.ts). */
const STATEMENTS = {
	row: 'SELECT 1 AS number, "a" AS letter',
	point: POINT,
	many: 'SELECT explode(sequence(1, 1500)) AS number',
	empty: 'SELECT 1 AS number WHERE 1 = 0',
	view: 'CREATE OR REPLACE TEMPORARY VIEW n8n_live_check AS SELECT 1 AS number',
	quotes: "SELECT 'it''s' AS doubled, 'it\\'s' AS escaped",
	missing: 'SELECT * FROM n8n_live_check_no_such_table',
	parquet: `${POINT}, 1 AS number`,
	stored: 'SELECT 2 AS number',
	endless: 'SELECT count(*) AS number FROM range(1000000000000)',
};

export type StatementName = keyof typeof STATEMENTS;

interface StatementTrial {
	messages: Message[];
	/** Replies to requests for its result, by a name for how it was requested. */
	results: Record<string, Message | undefined>;
}

export interface SqlTrial {
	/** The first request, with a session key; then, if that was refused, one without. */
	created: Answer[];
	/** The same request again: the same session? */
	again?: Answer;
	/** The session each time that its status had changed. */
	records: Json[];
	/** The path of its socket, each part replaced by what it is. */
	socketPath?: string;
	/** Why there were no statements. */
	problem?: string;
	statements: Partial<Record<StatementName, StatementTrial>>;
	/** The file of the stored result. */
	parquet?: Buffer;
	/** What became of a table with a geometry: the messages of its creation, and its details. */
	createdTable?: { messages: Message[]; details?: Answer };
}

/** Starts a session of its own, sends it the statements and ends it. */
export async function runSession(live: Live, made: Made, runtime: string): Promise<void> {
	const { api } = live;
	const trial: SqlTrial = { created: [], records: [], statements: {} };
	live.sql = trial;
	const body = { runtimeId: runtime, sessionType: 'multi', shutdownAfterInactiveSeconds: 300 };
	const sessionKey = `n8n-live-check-${randomUUID()}`;
	const create = async (more: object) => {
		const ask = { query: { force_new: 'false' }, body: { ...body, ...more }, creates: true };
		return await api.send('POST', '/sql/session', ask).catch((error: Error) => {
			made.add('perhaps a SQL session, to be found in the list of sessions', async () => {
				return await Promise.reject(new Error(`its response was lost (${error.message})`));
			});
			throw error;
		});
	};
	let key: object = { sessionKey };
	trial.created.push(await create(key));
	if (/sessionKey/.test(JSON.stringify(errorsOf(trial.created[0])))) {
		// Without a key it has to be a new one, or it could be somebody's.
		key = { sessionType: 'single' };
		trial.created.push(await create(key));
	}
	const created = trial.created.at(-1)!;
	const id = idIn(created, api.options.baseUrl);
	if (id === undefined) {
		trial.problem = 'no session was created';
		return;
	}
	const values = { id };
	made.add(`the SQL session ${id}`, async () => {
		const answer = await api.send('DELETE', '/sql/session/{id}', { values, removes: true });
		if (answer.status !== 404) ok(answer);
	});
	if ('sessionKey' in key) trial.again = await create(key);
	const address = await waitUntilReady(live, trial, id);
	if (address === undefined) return;
	trial.socketPath = pathOf(address, id, text(trial.records.at(-1)?.createdById));
	const socket = await SqlSocket.open(
		toSocketUrl(api.options.baseUrl, address),
		api.options.key,
		api.options.signal,
	);
	try {
		await sendStatements(live, trial, socket);
		trial.createdTable = await createTable(live, made, socket);
	} finally {
		socket.close();
	}
}

export function idIn({ text: body, headers }: Answer, baseUrl: string): string | undefined {
	const location = headers.get('location');
	return parseSessionId({
		text: body,
		location: location === null ? undefined : new URL(location, baseUrl).href,
	});
}

async function waitUntilReady(
	live: Live,
	trial: SqlTrial,
	id: string,
): Promise<string | undefined> {
	const { api } = live;
	for (let waited = 0; waited < LONGEST_MS; waited += POLL_MS) {
		const answer = await api.send('GET', '/sql/session/{id}', { values: { id } });
		if (isOk(answer) && isRecord(answer.json)) {
			const session = answer.json;
			if (trial.records.at(-1)?.status !== session.status) trial.records.push(session);
			const address = getAddress(session as never);
			if (address !== undefined) return address;
			if (isOver(text(session.status))) break;
		}
		await api.options.pause(POLL_MS);
	}
	trial.problem = 'the session did not become ready';
	return undefined;
}

/** `/sql/{organization}/{session}/ws`: parts that are words of the service stay. */
function pathOf(address: string, sessionId: string, customerId: string): string {
	const { pathname } = new URL(address.replace(/^ws/, 'http'));
	const parts = pathname.split('/').map((part) => {
		if (part === sessionId) return '{session}';
		if (part === customerId) return '{customer}';
		return /^([a-z]{0,8}|\d\.\d\.\d)$/.test(part) ? part : '{id}';
	});
	return parts.join('/');
}

async function sendStatements(live: Live, trial: SqlTrial, socket: SqlSocket): Promise<void> {
	const run = async (
		name: StatementName,
		retrievals: Record<string, Json>,
		more: Json = {},
		cancel = false,
	) => {
		const { id, messages } = await socket.execute(STATEMENTS[name], more, cancel);
		const results: StatementTrial['results'] = {};
		trial.statements[name] = { messages, results };
		const succeeded = messages.some(({ state }) => state === 'succeeded');
		for (const [how, retrieval] of Object.entries(succeeded ? retrievals : {})) {
			results[how] = await socket.retrieve(id, retrieval);
		}
	};
	const json = { format: 'json', compression: 'none' };
	await run('row', {
		json,
		arrow: { format: 'arrow', compression: 'none' },
		nothing: {},
		attach: { ...json, attach: true },
	});
	await run('point', {
		wkt: { ...json, geometry: 'wkt' },
		geojson: { ...json, geometry: 'geojson' },
		arrow: { format: 'arrow', compression: 'none', geometry: 'wkb' },
	});
	await run('many', { json }, { enable_progress_events: true });
	await run('empty', { json, arrow: { format: 'arrow', compression: 'none' } });
	await run('view', { json });
	await run('quotes', { json });
	await run('missing', {});
	await run('parquet', {}, { store: { format: 'parquet', ...STORED } });
	trial.parquet = await fileOf(live, trial.statements.parquet);
	await run('stored', {}, { store: STORED });
	await run('endless', {}, {}, true);
}

/** Creates a table in the first namespace of a managed catalog, reads it and drops it; undefined if there is none. */
async function createTable({ api }: Live, made: Made, socket: SqlSocket) {
	const catalogs = recordsIn(recordOf(await api.get('/catalogs')), 'catalogs');
	const catalog = catalogs.find(({ type }) => type === 'MANAGED');
	if (!catalog) return undefined;
	const of = { id: text(catalog.id) };
	const listed = await api.get('/catalogs/{id}/namespaces', { values: of });
	const namespace = text(recordsIn(recordOf(listed), 'namespaces')[0]?.name);
	if (namespace === '') return undefined;
	const table = `n8n_live_check_${randomUUID().replaceAll('-', '')}`;
	const name = toTableName(text(catalog.name), namespace, table);
	const path = '/catalogs/{id}/namespaces/{namespace}/tables/{table}';
	const values = { ...of, namespace, table };
	made.add(`the table ${name}`, async () => {
		const answer = await api.send('DELETE', path, { values, removes: true });
		if (answer.status !== 404) ok(answer);
	});
	const columns = [{ name: 'geometry', type: 'GEOMETRY(4326)', isRequired: false }];
	const { messages } = await socket.execute(buildCreate(name, columns, []));
	const details = await api.send('GET', path, { values });
	await socket.execute(`DROP TABLE IF EXISTS ${name}`);
	return { messages, details };
}

/** The file of a stored result; undefined if there is none. Its address is a secret and takes no key. */
async function fileOf(
	{ api }: Live,
	statement: StatementTrial | undefined,
): Promise<Buffer | undefined> {
	const uri = text(statement?.messages.find(({ state }) => state === 'succeeded')?.result_uri);
	if (!/^https?:/.test(uri)) return undefined;
	const response = await fetch(uri, { redirect: 'manual', signal: api.options.signal });
	return response.ok ? Buffer.from(await response.arrayBuffer()) : undefined;
}
