/** The form of Execute Query, complete and checked before a session is requested. */
import type { IDataObject } from 'n8n-workflow';

import type { MapOptions } from '../../map';
import { groupOf } from '../../parameters/declarations';
import type { Input } from '../../parameters/input';
import { asFlag, isPlainObject, parseJson, show } from '../../parameters/values';
import type { FileFormat, Store } from '../../service/sql/messages';
import {
	bindingProblem,
	bindParameters,
	sqlLiteral,
	type SqlValue,
} from '../../service/sql/parameters';
import { hasExpression, isStatement, mayReturnRows, onlyReads } from '../../service/sql/statements';
import { formatTime, parseTime } from '../../service/time/time';
import { isRecord } from '../../service/types';
import type { SessionRequest } from '../../transport/sql/openSession';
import { ROW_CAP } from '../../transport/sql/rows';
import type { Statement } from '../../transport/sql/runStatement';
import { readMapOptions } from '../mapOutput';
import * as form from './fields';
import { maxSessionsOption, readSessionRequest, sessionWaitOption } from './sessionFields';

export interface Query {
	/** The statement with its parameters. */
	statement: Omit<Statement, 'executionId'>;
	/** Whether it certainly changes nothing. */
	onlyReads: boolean;
	session: SessionRequest;
	sessionWaitMs: number;
	/** How many sessions an agent may request. */
	maxSessions: number;
	maxRows: number;
	file?: { name: string; field: string; store: Store; map?: MapOptions };
}

const TYPES = groupOf(form.queryParametersField)
	.values.find(({ name }) => name === 'type')
	?.options?.map((option) => ('value' in option ? String(option.value) : ''));

export function readQuery(input: Input, timezone: string): Query {
	const options = input.within(form.optionsField);
	const text = bound(input, readStatement(input), readParameters(input, timezone));
	const reads = onlyReads(text);
	const readOnlyField = input.isToolUse ? form.readOnlyToolField : form.readOnlyField;
	if (input.flag(readOnlyField) && !reads) {
		throw input.problem(
			form.queryField,
			"must only read, because 'Read Only' is on",
			'Allowed are SELECT, WITH, VALUES, SHOW, DESCRIBE and EXPLAIN, one at a time. Put column names that are keywords, such as update, in backquotes, but not function names. Leave out anything that is not plain SQL: nested comments, variables, TRANSFORM … USING, IDENTIFIER(…).',
		);
	}
	const output = input.choice(form.outputField);
	const returnsRows = mayReturnRows(text);
	// A field that is not shown cannot be read.
	const file = output === 'items' ? undefined : readFile(options, output);
	return {
		statement: {
			text,
			geometry: output === 'items' ? input.choice(form.geometryField) : 'geojson',
			mayReturnRows: returnsRows,
			store: returnsRows ? file?.store : undefined,
			timeoutMs: 1000 * options.integer(form.queryTimeoutOption),
		},
		onlyReads: reads,
		session: readSessionRequest(input, options),
		sessionWaitMs: 1000 * options.integer(sessionWaitOption),
		maxSessions: input.isToolUse ? options.integer(maxSessionsOption) : Infinity,
		maxRows: file ? ROW_CAP : Math.min(options.integer(form.maxRowsOption), ROW_CAP),
		file,
	};
}

function readFile(options: Input, format: FileFormat): Query['file'] {
	const name = options.optionalText(form.fileNameOption) ?? `query-result.${format}`;
	return {
		name,
		map: format === 'geojson' ? readMapOptions(options, name) : undefined,
		field: options.text(form.fileFieldOption),
		store: {
			format,
			single: 'true',
			generate_presigned_url: 'true',
			// Few other readers understand Spark's default escape for quotes in a field.
			...(format === 'csv' ? { options: { header: 'true', escape: '"' } } : {}),
		},
	};
}

function readStatement(input: Input): string {
	const statement = input.text(form.queryField);
	if (!isStatement(statement)) throw input.problem(form.queryField, 'must not be empty');
	if (hasExpression(statement)) {
		throw input.problem(
			form.queryField,
			'contains {{, which is not valid SQL',
			"Use 'Query Parameters' for values from other nodes, or switch the field from Fixed to Expression.",
		);
	}
	return statement;
}

function bound(input: Input, statement: string, values: Map<string, SqlValue>): string {
	const problem = bindingProblem(statement, [...values.keys()]);
	if (problem) throw input.problem(form.queryParametersField, problem);
	return bindParameters(statement, values);
}

/** The values of the parameters by name. */
function readParameters(input: Input, timezone: string): Map<string, SqlValue> {
	const values = new Map<string, SqlValue>();
	const refused = (what: string) => input.problem(form.queryParametersField, what);
	for (const row of input.rows(form.queryParametersField, withType)) {
		const name = row.name.trim().replace(/^:/, '');
		if (!/^[A-Za-z_]\w*$/.test(name)) {
			throw refused(`has the name ${show(row.name)}: a name has letters, digits and underscores`);
		}
		if (values.has(name)) throw refused(`has two values for :${name}`);
		if (!TYPES?.includes(row.type)) {
			throw refused(`must have one of the types ${TYPES?.join(', ')}, not ${show(row.type)}`);
		}
		const value = valueOf(row.type as form.ParameterType, row.value, timezone);
		const problem =
			value === undefined
				? `is not a valid ${row.type}: ${show(row.value)}`
				: literalProblem(value);
		if (value === undefined || problem) throw refused(`has a value for :${name} that ${problem}`);
		values.set(name, value);
	}
	return values;
}

/** @returns undefined when the text is not a valid value of the type */
function valueOf(type: form.ParameterType, text: string, timezone: string): SqlValue | undefined {
	switch (type) {
		case 'text':
			return text;
		case 'number':
			return text.trim() === '' ? undefined : { digits: text.trim() };
		case 'boolean':
			return asFlag(text);
		case 'timestamp': {
			const micros = parseTime(text, timezone);
			return micros === undefined ? undefined : { timestamp: formatTime(micros) };
		}
		case 'list': {
			const list = parseJson(text);
			return Array.isArray(list) && list.every(isPlain) ? valuesIn(text) : undefined;
		}
		case 'null':
			return null;
	}
}

/** A parameter with the type of its value, unless it has one, and a list as JSON text. */
function withType(row: IDataObject): IDataObject {
	const { type = form.AUTOMATIC, value } = row;
	const known = type === form.AUTOMATIC ? typeOf(value) : type;
	const isList = known === 'list' && Array.isArray(value);
	return { ...row, type: known, ...(isList ? { value: JSON.stringify(value) } : {}) };
}

/** Typed values are text; an expression can return other types. */
function typeOf(value: unknown): form.ParameterType {
	if (Array.isArray(value)) return 'list';
	if (typeof value === 'number' || typeof value === 'boolean') {
		return typeof value as 'number' | 'boolean';
	}
	return isRecord(value) && !isPlainObject(value) ? 'timestamp' : 'text';
}

function isPlain(value: unknown): boolean {
	return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

/** The values of a flat JSON list, with numbers as digits, because JavaScript would round them. */
function valuesIn(list: string): SqlValue[] {
	const values = list.match(/"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*|true|false|null/g) ?? [];
	return values.map((text) =>
		/^[-\d]/.test(text) ? { digits: text } : (JSON.parse(text) as string | boolean | null),
	);
}

function literalProblem(value: SqlValue): string | undefined {
	try {
		sqlLiteral(value);
		return undefined;
	} catch (error) {
		return (error as Error).message;
	}
}
