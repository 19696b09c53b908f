/** Logs of job runs: how their pages are joined. */
import { ok } from '../api';
import { Otherwise, verify, type Guess } from '../guess';
import { text, type Live } from '../context';
import { isRecord, kindOf, kindsOf, recordsIn, unitOf, type Json } from '../shape';

const PATH = '/runs/{id}/logs';

const SIZE = 1_000;

/** A log of several lines that fits into one page, and the run. */
async function someLog(live: Live) {
	const isUseful = ({ json }: { json: unknown }) => {
		const lines = recordsIn(json).length;
		return lines > 3 && lines < SIZE;
	};
	const query = { cursor: '0', size: String(SIZE) };
	const { run, answer } = await live.firstUseful(PATH, isUseful, query);
	const page = answer.json as Json;
	return { run, lines: recordsIn(page), next: page.next_page };
}

async function pageAt({ api }: Live, run: Json, query: Record<string, string>): Promise<Json> {
	const { json } = ok(await api.get(PATH, { values: { id: text(run.id) }, query }));
	if (isRecord(json)) return json;
	throw new Otherwise(`a page is ${kindOf(json)}`);
}

/** The first half of a log, by a smaller size, and the cursor that it names. */
async function half(live: Live) {
	const log = await someLog(live);
	const size = Math.floor(log.lines.length / 2);
	const page = await pageAt(live, log.run, { cursor: '0', size: String(size) });
	return { ...log, size, page, cursor: page.next_page };
}

const rawOf = (lines: Json[]) => JSON.stringify(lines.map(({ raw }) => raw));

const isCursor = (value: unknown) => /^\d+$/.test(String(value));

const LOG_CODE = 'nodes/Wherobots/useCases/runs/logs.ts';

export const logGuesses: Guess[] = [
	{
		name: 'log-cursor-digits',
		area: 'Logs of job runs',
		assumed: '`next_page` of a log is a text of digits.',
		matters: 'Get Logs; the log of a failed run',
		code: LOG_CODE,
		async check(live) {
			const { cursor } = await half(live);
			verify(typeof cursor === 'string' && isCursor(cursor), kindOf(cursor));
			return kindOf(cursor);
		},
	},
	{
		name: 'log-cursor-after-lines',
		area: 'Logs of job runs',
		assumed:
			'A page names `next_page` whenever it has lines, also the last one; one without lines names none or the same.',
		matters: 'Get Logs: Follow, and where a log ends',
		code: LOG_CODE,
		async check(live) {
			const { run, next } = await someLog(live);
			verify(isCursor(next), `with the last lines, next_page is ${kindOf(next)}`);
			const after = await pageAt(live, run, { cursor: String(next), size: String(SIZE) });
			verify(recordsIn(after).length === 0, 'the page after the last line has lines');
			const { next_page: end } = after;
			const isEnd = end === null || end === undefined || String(end) === String(next);
			verify(isEnd, `after the last line, next_page is another cursor: ${kindOf(end)}`);
			return `after the last line, next_page is ${end === null || end === undefined ? kindOf(end) : 'the same cursor'}`;
		},
	},
	{
		name: 'log-cursor-exclusive',
		area: 'Logs of job runs',
		assumed: 'The page at a cursor begins with the line after it: no line is repeated or missing.',
		matters: 'Get Logs: repeated or missing lines',
		code: LOG_CODE,
		async check(live) {
			const { run, lines, page, size, cursor } = await half(live);
			verify(isCursor(cursor), `next_page is ${kindOf(cursor)}`);
			const rest = await pageAt(live, run, { cursor: String(cursor), size: String(SIZE) });
			const joined = rawOf([...recordsIn(page), ...recordsIn(rest)]);
			if (joined === rawOf(lines)) return 'two halves are the whole log';
			const again = rawOf([...recordsIn(page), ...recordsIn(rest).slice(1)]) === rawOf(lines);
			throw new Otherwise(
				again
					? 'the line at the cursor is repeated'
					: `${size} and ${recordsIn(rest).length} lines instead of ${lines.length}`,
			);
		},
	},
	{
		name: 'log-cursor-kind',
		area: 'Logs of job runs',
		assumed: 'A cursor of a log is the time of the last line, or a number of lines.',
		matters: 'Get Logs: whether equal lines at the border of two pages are one',
		code: LOG_CODE,
		async check(live) {
			const { page, size, cursor } = await half(live);
			if (String(cursor) === String(size)) return 'the number of lines';
			const last = recordsIn(page).at(-1)?.timestamp;
			verify(String(cursor) === String(last), `neither: ${kindOf(cursor)}`);
			return 'the time of the last line';
		},
	},
	{
		name: 'log-start',
		area: 'Logs of job runs',
		assumed: 'A log begins at the first line with `cursor=0` and without a cursor.',
		matters: 'Get Logs',
		code: LOG_CODE,
		async check(live) {
			const { run, lines } = await someLog(live);
			const without = recordsIn(await pageAt(live, run, { size: '2' }));
			verify(rawOf(without) === rawOf(lines.slice(0, 2)), 'other lines without a cursor');
			return 'the same lines';
		},
	},
	{
		name: 'log-page-size',
		area: 'Logs of job runs',
		assumed: 'A page of a log has up to 1,000 lines.',
		matters: 'Get Logs: how many requests a log takes',
		code: LOG_CODE,
		async check(live) {
			const values = { id: text((await live.endedRuns())[0].id) };
			ok(await live.api.get(PATH, { values, query: { cursor: '0', size: String(SIZE) } }));
			const more = await live.api.get(PATH, { values, query: { cursor: '0', size: '5000' } });
			return `1,000 is accepted; 5,000: ${more.status}`;
		},
	},
	{
		name: 'log-timestamps',
		area: 'Logs of job runs',
		assumed: 'Every line has a `timestamp`, since 1970, in a unit that its size shows.',
		matters: 'Get Logs: time of a line',
		code: 'nodes/Wherobots/service/runs/logLines.ts',
		async check(live) {
			const { run, lines } = await someLog(live);
			const times = lines.map(({ timestamp }) => timestamp);
			const day = 86_400_000;
			const from = Date.parse(text(run.createTime)) - day;
			const to = Date.parse(text(run.completeTime) || text(run.updateTime)) + day;
			const units = [...new Set(times.map((time) => unitOf(time, from, to)))];
			verify(units.length === 1 && units[0] !== undefined, kindsOf(times));
			return `${kindsOf(times)}, in ${units[0]}`;
		},
	},
	{
		name: 'log-fields',
		area: 'Logs of job runs',
		assumed: 'A line has its text in `raw`.',
		matters: 'Get Logs',
		code: LOG_CODE,
		async check(live) {
			const { lines } = await someLog(live);
			const fields = [...new Set(lines.flatMap((line) => Object.keys(line)))].join(', ');
			verify(
				lines.every(({ raw }) => typeof raw === 'string'),
				`fields ${fields}`,
			);
			return `fields ${fields}`;
		},
	},
];
