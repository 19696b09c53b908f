/** Why a statement has no result: what is known about it, and the words for that. */
import { type FileFormat, type Geometry, getReason } from '../../service/sql/protocol';
import type { Client } from '../../transport/client';
import { Failure, settle } from '../../transport/failure';
import { truncate, joinLines, formatSeconds } from '../../transport/text';
import { fetchSession } from './session';

export interface Statement {
	executionId: string;
	text: string;
	onlyReads: boolean;
	/** Whether it changes nothing more when it is executed again, though it does not only read. */
	isRepeatable?: boolean;
	mayReturnRows: boolean;
	geometry: Geometry;
	/** Have the session store the result as a file instead of sending rows. */
	file?: FileFormat;
	timeoutMs: number;
	advice: StatementAdvice;
}

/** What helps, in the words of the form. */
export interface StatementAdvice {
	/** When it takes too long. */
	slow: string;
	/** When its result is large. */
	large: string;
	/** When the session runs out of memory. */
	memory: string;
	/** When the file needs a geometry, and it has none. */
	noGeometry: string;
	/** When it names a table that is not there. */
	noTable: string;
	/** When the session refuses it as it is written; nothing where the node wrote it. */
	refused?: string;
	/** When its first rows are enough. */
	enough: string;
}

/** What happened, and what is known about the statement itself. */
export const PROBLEMS = {
	notConnected: ['Could not connect to the SQL session', 'notSent'],
	notSent: ['The connection to the SQL session was lost before the statement was sent', 'notSent'],
	failed: ['The statement failed', 'failed'],
	cancelled: ['The statement was cancelled in the SQL session', 'cancelled'],
	timedOut: ['The statement took too long and was cancelled', 'cancelled'],
	timedOutOpen: ['The statement took too long', 'unknown'],
	lost: ['The connection to the SQL session was lost', 'unknown'],
	uncommitted: ['The catalog did not confirm whether it applied the changes', 'unknown'],
	unclear: ['The SQL session does not report the outcome of the statement', 'unknown'],
	unreadable: ['The SQL session sent a message that cannot be read', 'unknown'],
	resultLost: ['The statement succeeded, but its result did not arrive', 'succeeded'],
	resultCut: [
		'The statement succeeded, but its result did not arrive: the connection was lost each time',
		'succeeded',
	],
} as const;

export type Problem = keyof typeof PROBLEMS;

/** A statement without a result. The message is what the session or the connection reported. */
export class StatementError extends Error {
	override readonly name = 'StatementError';

	constructor(
		readonly problem: Problem,
		message = '',
	) {
		super(message);
	}
}

/** Spark's name for an error, which comes first, and the code of the SQL standard. Both are among the facts. */
const CODES = /^\[[A-Z_.\d]+\] ?|\.? ?SQLSTATE: \w{5}\b/g;

/** What Spark puts before the failure of a task. */
const ABORTED =
	/^(?:[\w.$]+: )?Job aborted due to stage failure: (?:Task \d+ in stage \S+ failed \d+ times, most recent failure: Lost task \S+ in stage \S+ \(TID \d+\)(?: \([^()\n]*\))?: )?/;

/** What it puts after that, which says nothing to the author of a statement. */
const FRAMES = /\n[ \t]*(?:at [\w.$/]+\(|\.\.\. \d+ more|Driver stacktrace:)[^\n]*/g;

/** The class of an exception that says nothing more than its message. */
const THROWN = /^(?:java\.lang|org\.apache\.spark)\.[\w.$]+: /;

/** How Sedona's functions fail: what they were given, and why. */
const EVALUATED =
	/^Exception occurred while evaluating expression (\w+) - (?:inputs|source): (\[[^]*?\]), cause: ([^\n]*)/;

/** Where a session, or a part of it, had too little memory. */
const OUT_OF_MEMORY = /OutOfMemoryError|\bOOM\b|exit code 137\b/;

/** Where Spark refuses to collect a result. */
const RESULT_TOO_LARGE = /Total size of serialized results/;

/** Where in the statement Spark found an error, and the plan behind that, which says nothing to its author. */
const PLACE_AND_PLAN =
	/;? (line \d+,? pos \d+);\n['!]?[A-Z](?:.*\n[ :]*[+:]- [^]*|[^[\n]*\[.*\n*)$/;

/** That a name is no table's. Where the catalog is none, Spark only says that its own has no such namespace. */
const NO_TABLE = /\[(TABLE_OR_VIEW_NOT_FOUND|REQUIRES_SINGLE_PART_NAMESPACE)\]/;

/** What it says to everybody whose table is not there. */
const NOISE =
	/\n(?:If you did not qualify the name|To tolerate the error)[^\n]*?(?= \(line |\n|$)/g;

const FOREIGN_CATALOG = /single-part namespace, but got (`(?:[^`]|``)+`)/;

/** A name that is no column's. */
const UNRESOLVED = /^\[UNRESOLVED_COLUMN[^`]*(`(?:[^`]|``)+`) cannot/;

/**
 * What the SQL standard calls a syntax error, or a name that does not exist; older Sparks only say where
 * it is.
 */
const REFUSED = /SQLSTATE: 42|\bline \d+,? pos \d+/;

/** Where a catalog has not told Iceberg whether it has taken the changes. */
const UNCOMMITTED = /CommitStateUnknownException/;

/** That a session may not read or write something. */
export const DENIED =
	/access ?denied|\bforbidden\b|not authorized|permission denied|insufficient privilege/i;

/** Where Spark meets a text that cannot be there; it repeats it in double quotes or in single ones. */
const QUOTED_NAME = /syntax error at or near '("[^"]+"|'[^']+')'/i;

const SYNTAX = /\[PARSE_SYNTAX_ERROR\]/;
const NO_ROUTINE = /\[UNRESOLVED_ROUTINE\]/;

/** Whether a session found nothing at a path. */
export const isPathMissing = (error: unknown): error is Failure =>
	error instanceof Failure && /PATH_NOT_FOUND/.test(String(error.facts.cause));

/** How much is shown of what a session reports, which may be a stack trace: what to do comes after it. */
const MAX_REASON = 5_000;
const MAX_FAILURE = 1_000;

type Effect = Pick<Statement, 'onlyReads' | 'isRepeatable'>;

/** What to do after a statement that ended in this state. */
function adviseNext(state: string, { onlyReads, isRepeatable }: Effect): string {
	switch (state) {
		case 'notSent':
			return 'The statement was not sent: run the node again.';
		case 'succeeded':
			return onlyReads
				? 'It only reads, so it can be run again, at the same cost.'
				: 'Its changes have been made: do not run it again.';
		case 'unknown':
			return onlyReads
				? 'It only reads, so it can be run again.'
				: isRepeatable
					? 'Run it again: rows that were already changed stay as they are.'
					: 'It was not sent again, because that could repeat its changes. Before you run it again, check whether they were made.';
		default:
			return '';
	}
}

/** The end of an error: what to do, and which statement it is about. */
export function describeClosing(
	state: string,
	{ sessionId, executionId, ...effect }: Effect & { sessionId: string; executionId: string },
): string {
	const ids = `Session ID: ${sessionId}\nExecution ID: ${executionId}`;
	return joinLines(adviseNext(state, effect), ids);
}

/** The error for a statement without a result, with the session's own failure, if it has one. */
export async function explainStatement(
	client: Client,
	sessionId: string,
	{ executionId, onlyReads, isRepeatable, timeoutMs, file, advice }: Statement,
	{ problem: reported, message }: StatementError,
): Promise<Failure> {
	const problem = reported === 'failed' && UNCOMMITTED.test(message) ? 'uncommitted' : reported;
	const [what, state] = PROBLEMS[problem];
	const asksSession = state !== 'notSent' && state !== 'cancelled';
	const read = asksSession && (await settle(fetchSession(client, sessionId)));
	const failure = (read && read.ok && read.value && getReason(read.value)) || '';
	const ambiguous = state === 'unknown' && !onlyReads && !isRepeatable;
	const changed = ambiguous ? ': it is not certain what the statement changed' : '';
	const placed = message
		.replace(ABORTED, '')
		.replace(THROWN, '')
		.replace(FRAMES, '')
		.replace(EVALUATED, '$3\nIn $1, with the input $2.')
		.replace(PLACE_AND_PLAN, ' ($1)')
		.replace(CODES, '');
	const said = placed.replace(NOISE, '').split('\n');
	const [, catalog] = FOREIGN_CATALOG.exec(message) ?? [];
	const [, name] = UNRESOLVED.exec(message) ?? [];
	const first = problem === 'failed' ? said.shift()! : '';
	const title = catalog ? `there may be no catalog ${catalog}` : first;
	return new Failure({
		message: `${what}${title && `: ${title}`}${changed}`,
		description: joinLines(
			REFUSED.test(message) && advice.refused,
			NO_TABLE.test(message) && advice.noTable,
			DENIED.test(message) &&
				'The session may lack permission for this: select a credential with another key, or ask an organization admin for access.',
			name &&
				(name === '`undefined`'
					? 'An expression in the query may have returned nothing: check it.'
					: `If ${name} is text, put it in single quotes.`),
			QUOTED_NAME.test(message)
				? 'Put names of tables and columns in backticks: quotes make them text, and so does a parameter.'
				: SYNTAX.test(message) &&
						'Check the spelling there and just before: a comma, quote or keyword may be missing or extra, or an expression may have returned nothing.',
			NO_ROUTINE.test(message) &&
				'Check the spelling of the function: Wherobots has those of Spark and Apache Sedona, not all of PostGIS.',
			OUT_OF_MEMORY.test(message) && `The session probably ran out of memory: ${advice.memory}.`,
			RESULT_TOO_LARGE.test(message) &&
				`The result is too large: ${advice.large}, or return fewer rows.`,
			truncate(said.join('\n').trim(), MAX_REASON),
			!message.includes(failure) && `The session reported: ${truncate(failure, MAX_FAILURE)}`,
			problem === 'lost' &&
				'If the connection is not restored, the session cancels the statement after about two minutes.',
			problem === 'resultCut' &&
				`If the result is large, ${advice.large}, return fewer rows, or run n8n on Node.js 22.23, 24.21 or later: older ones cannot receive compressed messages above 4 MiB.`,
			problem.startsWith('timedOut') &&
				`It took longer than ${formatSeconds(timeoutMs)}. ${advice.slow}`,
			problem === 'timedOutOpen' && 'The session did not confirm that it was cancelled.',
			file && adviseOnFile(file, advice.noGeometry, message),
			describeClosing(state, { onlyReads, isRepeatable, sessionId, executionId }),
		),
		ambiguous,
		temporary:
			state === 'notSent' ||
			(onlyReads && (state === 'unknown' || state === 'succeeded')) ||
			(isRepeatable && state === 'unknown' && problem !== 'timedOutOpen'),
		facts: { sessionId, executionId, state, ...(title ? { cause: message } : {}) },
	});
}

const UNSUITABLE = /\bcolumn\s+(`(?:[^`]|``)+`)\s+of the type\s+"?(\w+)/i;

/** By the type that Spark names, what to write instead of a column. */
const CASTS: Record<string, (column: string) => string> = {
	BINARY: (column) => `ST_AsText(${column}) for geometries, base64(${column}) for other bytes`,
	GEOMETRY: (column) => `ST_AsText(${column})`,
	GEOGRAPHY: (column) => `ST_AsText(${column})`,
	ARRAY: (column) => `to_json(${column})`,
	MAP: (column) => `to_json(${column})`,
	STRUCT: (column) => `to_json(${column})`,
};

/**
 * What to do about a result that a file of this format cannot hold; undefined when an error says nothing
 * of that.
 *
 * @param noGeometry what to do where a file needs a geometry
 */
export function adviseOnFile(
	format: string,
	noGeometry: string,
	error: string,
): string | undefined {
	if (format !== 'csv') return /\bno geometry column/i.test(error) ? noGeometry : undefined;
	const [, column, type = ''] = UNSUITABLE.exec(error) ?? [];
	if (column !== undefined) {
		const cast = CASTS[type.toUpperCase()] ?? ((name: string) => `CAST(${name} AS STRING)`);
		return `A CSV file cannot hold the column ${column} as it is: in the query, use ${cast(column)}.`;
	}
	return /geometry/i.test(error)
		? 'CSV files cannot contain geometries: use ST_AsText(column) in the query, or GeoJSON.'
		: undefined;
}
