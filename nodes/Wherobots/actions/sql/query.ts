/** The form of Execute Query, complete and checked before a session is requested. */
import { readOrDefault } from '../../parameters/fields';
import type { Input } from '../../parameters/input';
import { show } from '../../parameters/values';
import type { FileFormat, Geometry } from '../../service/sql/messages';
import { bindParameters } from '../../service/sql/parameters';
import { examine } from '../../service/sql/statements';
import { readMapOptions } from '../operations/mapOutput';
import * as form from './fields';
import { queryParametersField, readParameters } from './parameters';

export type Query = ReturnType<typeof withStatement> & { maxRows?: number };

/** The file in the output. */
export type ResultFile = ReturnType<typeof readFile>;

const MIME_TYPES = {
	csv: 'text/csv',
	geojson: 'application/geo+json',
	parquet: 'application/vnd.apache.parquet',
};

export function readQuery(input: Input, timezone: string) {
	const statement = readStatement(input, timezone);
	const result = readOutput(input);
	const options = input.within(form.optionsField);
	return {
		...withStatement({ ...readSettings(input), ...result }, statement),
		maxRows: result.file ? undefined : options.optionalInteger(form.maxRowsOption),
	};
}

/** A query that executes this statement. */
export function withStatement(
	settings: ReturnType<typeof readSettings> & ReturnType<typeof readOutput>,
	statement: Pick<ReturnType<typeof readStatement>, 'text' | 'onlyReads' | 'mayReturnRows'>,
) {
	const { output, geometry, timeoutMs, ...rest } = settings;
	const file = output !== 'items' && statement.mayReturnRows ? output : undefined;
	return { ...rest, statement: { ...statement, geometry, file, timeoutMs } };
}

/** How to execute a statement: in which session, and for how long. */
export function readSettings(input: Input) {
	const options = input.within(form.optionsField);
	const sessionOptions = form.sessionOptions.map((option) => [
		option.name,
		option.type === 'number' ? options.optionalInteger(option) : options.optionalText(option),
	]);
	return {
		timeoutMs: 1000 * options.integer(form.queryTimeoutOption),
		session: {
			region: readOrDefault(input, form.sessionRegionField),
			runtimeId: readOrDefault(input, form.sessionRuntimeField),
			sessionType: options.choice(form.sessionTypeOption),
			forceNew: options.flag(form.startNewOption),
			...(Object.fromEntries(sessionOptions) as object),
		},
		sessionWaitMs: 1000 * options.integer(form.sessionWaitOption),
		// An agent may request so many.
		maxSessions: input.isToolUse ? options.integer(form.maxSessionsOption) : Infinity,
	};
}

/** What becomes of the rows. */
export function readOutput(input: Input) {
	const options = input.within(form.optionsField);
	const output = input.choice(form.outputField);
	// Fields that the form does not show cannot be read.
	const file = output === 'items' ? undefined : readFile(options, output);
	const geometry: Geometry = file ? 'geojson' : input.choice(form.geometryField);
	return { output, file, geometry };
}

function readFile(options: Input, format: FileFormat) {
	const name = options.optionalText(form.fileNameOption) ?? `query-result.${format}`;
	return {
		name,
		mimeType: MIME_TYPES[format],
		field: options.text(form.fileFieldOption),
		map: format === 'geojson' ? readMapOptions(options, name) : undefined,
	};
}

/** The statement with the literals of its parameters, and what it does. */
function readStatement(input: Input, timezone: string) {
	const literals = readParameters(input, timezone);
	const { text, problem } = bindParameters(input.text(form.queryField), literals);
	const { isEmpty, hasExpression, onlyReads, obstacle, mayReturnRows } = examine(text);
	if (isEmpty) throw input.problem(form.queryField, 'must not be empty');
	if (hasExpression) {
		throw input.problem(
			form.queryField,
			'contains {{, which is not valid SQL',
			"Use 'Query Parameters' for values from other nodes, or switch the field from Fixed to Expression.",
		);
	}
	if (problem) throw input.problem(queryParametersField, problem);
	const readOnlyField = input.isToolUse ? form.readOnlyToolField : form.readOnlyField;
	if (input.flag(readOnlyField) && !onlyReads) {
		throw input.problem(
			form.queryField,
			`must only read, because 'Read Only' is on: the check stopped at ${show(obstacle)}`,
			'Allowed are SELECT, WITH, FROM, TABLE, VALUES, SHOW, LIST, DESCRIBE and EXPLAIN, one at a time. Put names that are keywords, such as update, in backquotes, but not function names. Leave out anything that is not plain SQL: variables, TRANSFORM … USING, IDENTIFIER(…).',
		);
	}
	return { text, onlyReads, mayReturnRows };
}
