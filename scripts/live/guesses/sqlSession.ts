/** SQL sessions as such: how one is started and found. */
import { isOk, ok, outcomeOf } from '../api';
import { found, verify, type Guess } from '../guess';
import { text, type Live } from '../context';
import { fieldsOf, isRecord, kindOf, recordsIn } from '../shape';
import { idIn } from '../spend/session';

const OPEN_CODE = 'nodes/Wherobots/useCases/sql/session.ts';

const RECORD_CODE = 'nodes/Wherobots/service/sql/protocol.ts';

const STATUSES = [
	'PENDING',
	'PREPARING',
	'REQUESTED',
	'DEPLOYING',
	'DEPLOYED',
	'INITIALIZING',
	'READY',
];

const created = ({ sqlTrial }: Live) => found(sqlTrial.created.at(-1), 'no session was requested');

export const sqlSessionGuesses: Guess[] = [
	{
		name: 'sql-sessions-list',
		area: 'SQL',
		assumed: '`GET /sql/sessions` is a list without pages of the caller’s running sessions.',
		matters: 'SQL Session: Get Many; SQL: Max Sessions',
		code: OPEN_CODE,
		async check({ api }) {
			const { json } = ok(await api.get('/sql/sessions'));
			verify(Array.isArray(json), kindOf(json));
			const [first] = recordsIn(json);
			return first ? `fields ${fieldsOf(first)}` : 'an empty list';
		},
	},
	{
		name: 'sql-unknown-session',
		area: 'SQL',
		assumed: 'A session that does not exist is null, or answered by 404.',
		matters: 'SQL: when a session has ended meanwhile',
		code: OPEN_CODE,
		async check({ api }) {
			const values = { id: '00000000-0000-4000-8000-000000000000' };
			const answer = await api.get('/sql/session/{id}', { values });
			const isNull = isOk(answer) && (answer.json === null || answer.text === '');
			verify(isNull || answer.status === 404, outcomeOf(answer));
			return isNull ? 'null' : '404';
		},
	},
	{
		name: 'sql-session-redirect',
		area: 'SQL',
		assumed: 'A request for a session is answered by 303 with the session’s address in `Location`.',
		matters: 'SQL: Execute Query',
		code: OPEN_CODE,
		spends: true,
		check(live) {
			const answer = created(live);
			const id = idIn(answer, live.api.options.baseUrl);
			verify(answer.status === 303 && id !== undefined, outcomeOf(answer));
			const location = answer.headers.get('location') ?? '';
			return location.startsWith('/') ? 'a path' : 'a whole address';
		},
	},
	{
		name: 'sql-session-key',
		area: 'SQL',
		assumed: 'A request with a `sessionKey` gets the session with that key, whoever else has one.',
		matters: 'SQL: Execute Query, Session',
		code: OPEN_CODE,
		spends: true,
		check(live) {
			const { created: requests, again } = live.sqlTrial;
			const [first] = requests;
			verify(first.status < 400, outcomeOf(first));
			const { baseUrl } = live.api.options;
			const second = found(again, 'it was not requested again');
			verify(idIn(second, baseUrl) === idIn(first, baseUrl), 'another session for the same key');
			return 'the same session for the same key';
		},
	},
	{
		name: 'sql-session-fallback',
		area: 'SQL',
		assumed:
			'The header `X-Wherobots-Sql-Session-Fallback` is there only where another session is handed out for want of quota.',
		matters: 'SQL: Execute Query with Start New or Single',
		code: OPEN_CODE,
		spends: true,
		check(live) {
			const value = created(live).headers.get('x-wherobots-sql-session-fallback');
			verify(value === null || value === 'quota', `the header is ${kindOf(value)}`);
			return value === null ? 'no such header' : 'quota: this was not a new session';
		},
	},
	{
		name: 'sql-session-statuses',
		area: 'SQL',
		assumed: `A session that starts is ${STATUSES.slice(0, -1).join(', ')}, then READY.`,
		matters: 'SQL: Execute Query, which waits to its limit in any other status',
		code: RECORD_CODE,
		spends: true,
		check({ sqlTrial }) {
			const statuses = sqlTrial.records.map(({ status }) => text(status));
			found(statuses[0], 'the session could not be read');
			const seen = statuses.join(', ').replace(/[^A-Z_, ]/g, '?');
			verify(
				statuses.every((status) => STATUSES.includes(status)),
				seen,
			);
			return seen;
		},
	},
	{
		name: 'sql-url-while-starting',
		area: 'SQL',
		assumed: 'While a session starts, it has no `appMeta`, or a valid URL in it.',
		matters: 'SQL: Execute Query',
		code: RECORD_CODE,
		spends: true,
		check({ sqlTrial }) {
			const starting = sqlTrial.records.filter(({ status }) => status !== 'READY');
			const metas = starting.map(({ appMeta }) => appMeta);
			found(metas[0] === undefined ? undefined : starting, 'it was ready at once');
			const urls = metas.filter(isRecord).map(({ url }) => url);
			verify(
				urls.every((url) => typeof url === 'string' && URL.canParse(url)),
				`its url is ${urls.map(kindOf).join(', ')}`,
			);
			return urls.length > 0 ? 'a valid URL' : 'no appMeta';
		},
	},
	{
		name: 'sql-socket-path',
		area: 'SQL',
		assumed: 'The path of a session’s socket is `/sql/{id}/{session}/ws`, before the version.',
		matters: 'SQL: Execute Query, where an address is checked before the key is sent',
		code: RECORD_CODE,
		spends: true,
		check({ sqlTrial }) {
			const path = found(sqlTrial.socketPath, sqlTrial.problem ?? 'there is no socket');
			verify(/^\/sql\/\{id\}\/\{session\}\/ws$/.test(path), path);
			return path;
		},
	},
];
