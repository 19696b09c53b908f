/** The form of Execute Query, complete and checked before a session is requested. */
import type { MapOptions } from '../../map';
import { readOrDefault } from '../../parameters/fields';
import type { Input } from '../../parameters/input';
import type { FileFormat } from '../../service/sql/messages';
import { bindingProblem, bindParameters } from '../../service/sql/parameters';
import { examine } from '../../service/sql/statements';
import type { SessionRequest } from '../../transport/sql/openSession';
import { ROW_CAP } from '../../transport/sql/rows';
import type { Statement } from '../../transport/sql/runStatement';
import { readMapOptions } from '../mapOutput';
import * as form from './fields';
import { queryParametersField, readParameters } from './parameters';

export interface Query {
	statement: Omit<Statement, 'executionId'>;
	session: SessionRequest;
	sessionWaitMs: number;
	/** How many sessions an agent may request. */
	maxSessions: number;
	maxRows: number;
	file?: ResultFile;
}

/** The file in the output. */
export interface ResultFile {
	name: string;
	mimeType: string;
	field: string;
	map?: MapOptions;
}

const MIME_TYPES = {
	csv: 'text/csv',
	geojson: 'application/geo+json',
	parquet: 'application/vnd.apache.parquet',
};

export function readQuery(input: Input, timezone: string): Query {
	const options = input.within(form.optionsField);
	const text = readStatement(input, readParameters(input, timezone));
	const { onlyReads, mayReturnRows } = examine(text);
	const readOnlyField = input.isToolUse ? form.readOnlyToolField : form.readOnlyField;
	if (input.flag(readOnlyField) && !onlyReads) {
		throw input.problem(
			form.queryField,
			"must only read, because 'Read Only' is on",
			'Allowed are SELECT, WITH, VALUES, SHOW, DESCRIBE and EXPLAIN, one at a time. Put column names that are keywords, such as update, in backquotes, but not function names. Leave out anything that is not plain SQL: nested comments, variables, TRANSFORM … USING, IDENTIFIER(…).',
		);
	}
	const output = input.choice(form.outputField);
	// Fields that the form does not show cannot be read.
	const file = output === 'items' ? undefined : readFile(options, output);
	return {
		statement: {
			text,
			onlyReads,
			mayReturnRows,
			geometry: file ? 'geojson' : input.choice(form.geometryField),
			file: output !== 'items' && mayReturnRows ? output : undefined,
			timeoutMs: 1000 * options.integer(form.queryTimeoutOption),
		},
		session: readSessionRequest(input, options),
		sessionWaitMs: 1000 * options.integer(form.sessionWaitOption),
		maxSessions: input.isToolUse ? options.integer(form.maxSessionsOption) : Infinity,
		maxRows: file ? ROW_CAP : Math.min(options.integer(form.maxRowsOption), ROW_CAP),
		file,
	};
}

function readFile(options: Input, format: FileFormat): ResultFile {
	const name = options.optionalText(form.fileNameOption) ?? `query-result.${format}`;
	return {
		name,
		mimeType: MIME_TYPES[format],
		field: options.text(form.fileFieldOption),
		map: format === 'geojson' ? readMapOptions(options, name) : undefined,
	};
}

/** The statement with the literals of its parameters. */
function readStatement(input: Input, literals: Map<string, string>): string {
	const text = input.text(form.queryField);
	const { isEmpty, hasExpression } = examine(text);
	if (isEmpty) throw input.problem(form.queryField, 'must not be empty');
	if (hasExpression) {
		throw input.problem(
			form.queryField,
			'contains {{, which is not valid SQL',
			"Use 'Query Parameters' for values from other nodes, or switch the field from Fixed to Expression.",
		);
	}
	const problem = bindingProblem(text, [...literals.keys()]);
	if (problem) throw input.problem(queryParametersField, problem);
	return bindParameters(text, literals);
}

function readSessionRequest(input: Input, options: Input): SessionRequest {
	const further = form.sessionOptions.map((option) => [
		option.name,
		option.type === 'number' ? options.optionalInteger(option) : options.optionalText(option),
	]);
	return {
		region: readOrDefault(input, form.sessionRegionField),
		runtimeId: readOrDefault(input, form.sessionRuntimeField),
		sessionType: options.choice(form.sessionTypeOption),
		forceNew: options.flag(form.startNewOption),
		...(Object.fromEntries(further) as object),
	};
}
