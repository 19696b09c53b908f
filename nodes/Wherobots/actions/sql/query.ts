/**
 * The form of Execute Query, complete and checked before a session is requested; query parameters are
 * values that the statement names, as literals.
 */
import type { IDataObject } from 'n8n-workflow';

import { defineChoiceField, defineRowsField, defineTextField } from '../../form/declarations';
import { limitField, readOrDefault } from '../../form/fields';
import type { Input } from '../../form/input';
import { toFlag, isPlainObject, show } from '../../form/values';
import { parseLeadingJson } from '../../service/json';
import { isRecord } from '../../service/records';
import type { Statement, StatementAdvice } from '../../useCases/sql/problems';
import type { RowsAdvice } from '../../useCases/sql/rows';
import type { FileFormat, Geometry } from '../../service/sql/protocol';
import * as statements from '../../service/sql/statements';
import { toIsoDate, toIsoTime } from '../../service/time';
import { readMapOptions } from '../operations/itemFiles';
import { readDeduplicationKey } from '../operations/deduplicationKey';
import * as form from './fields';

const AUTOMATIC = 'automatic';

export const queryParametersField = defineRowsField({
	displayName: 'Query Parameters',
	name: 'queryParameters',
	placeholder: 'Add parameter',
	description: 'Values for the names in the query that begin with a colon',
	row: {
		displayName: 'Parameter',
		name: 'parameter',
		values: [
			defineTextField({
				displayName: 'Name',
				name: 'name',
				placeholder: 'e.g. size',
				description: 'The name in the query, without the colon',
			}),
			defineChoiceField({
				displayName: 'Type',
				name: 'type',
				options: {
					[AUTOMATIC]: [
						'Automatic',
						'The type that an expression returns: number, boolean, time or list; otherwise text',
					],
					boolean: 'Boolean',
					date: ['Date', "A day. A time becomes its day in the workflow's time zone."],
					list: ['List (JSON)', 'For IN: ["a", "b"] or [1, 2]'],
					null: 'Null',
					number: 'Number',
					text: 'Text',
					timestamp: 'Timestamp',
				},
				default: AUTOMATIC,
				description: 'SQL type of the value',
			}),
			defineTextField({ displayName: 'Value', name: 'value', placeholder: 'e.g. 2.5' }),
		],
	},
});

/** The literals of the parameters by name. Times without a zone are in `timezone`. */
function readParameters(input: Input, timezone: string): Map<string, statements.Literal> {
	const literals = new Map<string, statements.Literal>();
	const refused = (what: string, rule?: string) => input.problem(queryParametersField, what, rule);
	for (const { type, name: given, value } of input.rows(queryParametersField, addType)) {
		const name = given.trim().replace(/^:/, '');
		if (!/^[A-Za-z_]\w*$/.test(name)) {
			throw refused(
				`has the name ${show(given)}: a name may have only letters, digits and underscores`,
			);
		}
		if (literals.has(name)) throw refused(`has two values for :${name}`);
		const literal = toLiteral(type, value, timezone);
		if (literal === undefined) {
			// It may not be the value that is wrong.
			if (toLiteral(type, value, 'UTC')) input.timezone();
			throw refused(
				`has a value for :${name} that is not a valid ${type}: ${show(value)}`,
				`${EXAMPLES[type]} Or choose another 'Type'.`,
			);
		}
		literals.set(name, literal);
	}
	return literals;
}

/** What values of a type look like, for errors. */
const EXAMPLES: Record<string, string> = {
	boolean: 'It must be true or false.',
	date: 'It must be a day such as 2026-01-31.',
	list: 'It must be JSON with one or more values: ["a", "b"] or [1, 2].',
	number: 'It must have only digits, with a period before the decimals: 12.5.',
	timestamp:
		'It must be a time such as 2026-01-31T09:00:00Z, with at most six digits after the second.',
};

/** A parameter with the type of its value, unless it has one, and a list as JSON text. */
function addType(row: IDataObject): IDataObject {
	const { type = AUTOMATIC, value } = row;
	const known = type === AUTOMATIC ? detectType(value) : type;
	const isList = known === 'list' && Array.isArray(value);
	return { ...row, type: known, ...(isList && { value: JSON.stringify(value) }) };
}

/** Typed values are text; an expression can return other types. */
function detectType(value: unknown): string {
	if (Array.isArray(value)) return 'list';
	if (typeof value === 'number' || typeof value === 'boolean') return typeof value;
	return isRecord(value) && !isPlainObject(value) ? 'timestamp' : 'text';
}

/** @returns undefined when the text is not a valid value of the type */
function toLiteral(type: string, text: string, timezone: string): statements.Literal | undefined {
	if (type === 'text') return statements.toTextValue(text);
	if (type === 'list') {
		const values = toListValues(text);
		return values === undefined ? undefined : { sql: `(${values})`, values };
	}
	const sql = toSimpleLiteral(type, text, timezone);
	return sql === undefined ? undefined : { sql };
}

function toSimpleLiteral(type: string, text: string, timezone: string): string | undefined {
	switch (type) {
		case 'number':
			return statements.toNumberLiteral(text.trim());
		case 'boolean':
			return toFlag(text)?.toString().toUpperCase();
		case 'date': {
			const day = toIsoDate(text, timezone);
			return day && `DATE '${day}'`;
		}
		case 'timestamp': {
			const time = toIsoTime(text, timezone);
			return time && `TIMESTAMP '${time}'`;
		}
		case 'null':
			return 'NULL';
		default:
			return undefined;
	}
}

/** The values of a flat JSON list with one or more. Numbers keep their digits. */
function toListValues(json: string): string | undefined {
	const list = parseLeadingJson(json);
	const isFlat = Array.isArray(list) && list.every((value) => Object(value) !== value);
	if (!isFlat || list.length === 0) return undefined;
	const values =
		json.match(/"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?$)|-?\d[\d.eE+-]*|true|false|null/gs) ?? [];
	const literals = values.map((value) =>
		value.startsWith('"')
			? statements.toTextLiteral(JSON.parse(value) as string)
			: (statements.toNumberLiteral(value) ?? value.toUpperCase()),
	);
	return literals.includes(undefined) ? undefined : literals.join(', ');
}

export type Query = ReturnType<typeof addStatement> & {
	maxRows?: number;
	deduplicationKey?: string;
	/** Called before the statement is sent. */
	onSend?: () => void;
};

/** The file in the output. */
export type ResultFile = ReturnType<typeof readFile>;

const MIME_TYPES = {
	csv: 'text/csv',
	geojson: 'application/geo+json',
	parquet: 'application/vnd.apache.parquet',
};

export function readQuery(input: Input, timezone: string) {
	const statement = readStatement(input, timezone);
	const result = readOutput(input, statements.findTableName(statement.text));
	const options = input.within(form.optionsField);
	return {
		...addStatement({ ...readSettings(input), ...result }, { ...statement, advice }),
		maxRows: result.file ? undefined : options.optionalInteger(form.maxRowsOption),
		deduplicationKey: statement.onlyReads ? undefined : readDeduplicationKey(options),
	};
}

/** What helps with a statement that the node has written. */
export const ownAdvice: StatementAdvice & RowsAdvice & { wait: string } = {
	enough: `set '${limitField.displayName}' to that`,
	wait: `Raise '${form.sessionWaitOption.displayName}' to wait longer.`,
	slow: `Raise '${form.queryTimeoutOption.displayName}' to wait longer.`,
	large: `set '${form.outputField.displayName}' to a file`,
	memory: `choose a larger '${form.sessionRuntimeField.displayName}', or read less`,
	noGeometry: `Select a geometry column, or set '${form.outputField.displayName}' to CSV File.`,
	noTable: 'Catalog: Get Many lists the catalogs, and Table: Get Many their tables.',
	unreadable: `Set '${form.outputField.displayName}' to a CSV or GeoJSON file, which is transferred differently.`,
	infinite: `set '${form.geometryField.displayName}' to WKT`,
};

/** What else there is to do about a query that a person wrote. */
export const advice = {
	...ownAdvice,
	enough: 'add a LIMIT',
	noTable: `Check the table's name: catalog.namespace.table. ${ownAdvice.noTable}`,
	refused: 'Correct the statement: unchanged, it will fail again.',
};

/** A query that executes this statement. */
export function addStatement(
	settings: ReturnType<typeof readSettings> & ReturnType<typeof readOutput>,
	statement: Pick<Statement, 'text' | 'onlyReads' | 'isRepeatable' | 'mayReturnRows' | 'advice'>,
) {
	const { output, geometry, timeoutMs, ...rest } = settings;
	const file = output !== 'items' && statement.mayReturnRows ? output : undefined;
	return { ...rest, statement: { ...statement, geometry, file, timeoutMs } };
}

/** How to execute a statement: in which session, and for how long. */
export function readSettings(input: Input) {
	const options = input.within(form.sessionOptionsField);
	const sessionOptions = form.sessionOptions.map((option) => [
		option.name,
		option.type === 'number' ? options.optionalInteger(option) : options.optionalText(option),
	]);
	const unusedMinutes = options.optionalInteger(form.unusedTimeoutOption);
	const sessionType = options.choice(form.sessionTypeOption);
	return {
		timeoutMs: 1000 * input.within(form.optionsField).integer(form.queryTimeoutOption),
		session: {
			region: readOrDefault(input, form.sessionRegionField),
			runtimeId: readOrDefault(input, form.sessionRuntimeField),
			sessionType: sessionType === 'new' ? ('multi' as const) : sessionType,
			forceNew: sessionType === 'new',
			...(Object.fromEntries(sessionOptions) as object),
			shutdownAfterInactiveSeconds: unusedMinutes && 60 * unusedMinutes,
		},
		sessionWaitMs: 1000 * options.integer(form.sessionWaitOption),
		// An agent may request so many.
		maxSessions: input.isToolUse ? options.integer(form.maxSessionsOption) : Infinity,
	};
}

/** What becomes of the rows. @param title of a map for which the form has none */
export function readOutput(input: Input, title?: string) {
	const output = input.choice(form.outputField);
	// Fields that the form does not show cannot be read.
	const file = output === 'items' ? undefined : readFile(input, output, title);
	const geometry: Geometry = file ? 'geojson' : input.choice(form.geometryField);
	return { output, file, geometry };
}

function readFile(input: Input, format: FileFormat, title?: string) {
	const options = input.within(form.optionsField);
	const name = options.optionalText(form.fileNameOption) ?? `query-result.${format}`;
	const field = options.text(form.fileFieldOption);
	const map = format === 'geojson' ? readMapOptions(input, field, title ?? name) : undefined;
	return { name, mimeType: MIME_TYPES[format], field, map };
}

/** The statement with the literals of its parameters, and what it does. */
export function readStatement(input: Input, timezone: string) {
	const literals = readParameters(input, timezone);
	const { text, problem } = statements.bindParameters(
		statements.removeFence(input.text(form.queryField)),
		literals,
	);
	const { isEmpty, hasExpression, hasObject, isMany, onlyReads, obstacle, mayReturnRows, sign } =
		statements.examine(text);
	if (isEmpty) throw input.problem(form.queryField, 'must have a statement, not only comments');
	if (hasExpression) {
		throw input.problem(
			form.queryField,
			`contains ${text.includes('{{') ? '{{' : '$json'}, which is not valid SQL`,
			"Use 'Query Parameters' for values from other nodes, or switch the field from Fixed to Expression, with {{ }} around each expression.",
		);
	}
	if (hasObject) {
		throw input.problem(
			form.queryField,
			'has [object Object], which is not valid SQL',
			'An expression in the query returned an object: use one of its fields.',
		);
	}
	if (sign) {
		const what = /[?$]/.test(sign)
			? `has ${sign} in place of a value: write :name there, and add name under '${queryParametersField.displayName}'`
			: `has the typographic quotation mark ${sign}: replace it with a straight one (')`;
		throw input.problem(form.queryField, what);
	}
	if (isMany) {
		throw input.problem(
			form.queryField,
			'must be a single statement: use a separate node or item for each',
		);
	}
	if (problem) throw input.problem(queryParametersField, problem);
	const readOnlyField = input.isToolUse ? form.readOnlyToolField : form.readOnlyField;
	if (input.flag(readOnlyField) && !onlyReads) {
		throw input.problem(
			form.queryField,
			`must only read, because 'Read Only' is on: the check stopped at ${show(obstacle)}`,
			`${input.isToolUse ? '' : "To let the query change data, turn off 'Read Only'. "}'Read Only' allows SELECT, WITH, FROM, TABLE, VALUES, SHOW, LIST, DESCRIBE and EXPLAIN. Put names that are keywords, such as update, in backticks, but not function names. Leave out anything that is not plain SQL: variables, TRANSFORM … USING, IDENTIFIER(…).`,
		);
	}
	return { text, onlyReads, mayReturnRows };
}
