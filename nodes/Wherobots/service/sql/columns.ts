/** Columns of a table, and which values they hold: the engine changes some that do not fit, without a word. */
import type { IDataObject } from 'n8n-workflow';

import { toPlainDecimal } from '../json';
import { toIsoDate, toIsoTime } from '../time';
import { isRecord } from '../records';
import { parseSrid } from './geometry';

export interface Column {
	name: string;
	/** As the service names it, such as `decimal(10, 2)`; `list`, `map` and `struct` for nested ones. */
	type: string;
	/**
	 * The type in Spark SQL, without its parts; undefined for geometries, and for a type that this package
	 * does not know or that has a part of such a type.
	 */
	sqlType?: string;
	isRequired: boolean;
	/** Of a list its elements, of a map its keys and values, of a structure its members. */
	parts?: Column[];
	/** The coordinate system that a geometry column declares; older tables declare none. */
	srid?: number;
}

/** Iceberg's names of types, and Spark's. */
const SQL_TYPES: Record<string, string> = {
	...{ boolean: 'BOOLEAN', int: 'INT', long: 'BIGINT', float: 'FLOAT', double: 'DOUBLE' },
	...{ date: 'DATE', timestamp: 'TIMESTAMP_NTZ', timestamptz: 'TIMESTAMP', string: 'STRING' },
	...{ uuid: 'STRING', binary: 'BINARY' },
};

const NESTED: Record<string, string> = { list: 'ARRAY', map: 'MAP', struct: 'STRUCT' };

/** The columns in a table's details. */
export function parseColumns(table: IDataObject): Column[] {
	return parseParts({ ...(isRecord(table.schema) && table.schema), type: 'struct' });
}

function parseParts(type: IDataObject): Column[] {
	if (type.type === 'list') {
		return [toColumn('element', type.element, type['element-required'])];
	}
	if (type.type === 'map') {
		return [toColumn('key', type.key, true), toColumn('value', type.value, type['value-required'])];
	}
	const fields = Array.isArray(type.fields) ? (type.fields as unknown[]) : [];
	return fields
		.filter(isRecord)
		.map((field) => toColumn(String(field.name), field.type, field.required));
}

function toColumn(name: string, given: unknown, isRequired: unknown): Column {
	const kind = isRecord(given) ? given.type : given;
	const type = typeof kind === 'string' ? kind : 'unknown';
	const parts = isRecord(given) ? parseParts(given) : undefined;
	const isKnown = parts?.length && parts.every(({ sqlType }) => sqlType !== undefined);
	return {
		...{ name, type, isRequired: isRequired === true, ...toSridField(type) },
		...(parts
			? { parts, sqlType: isKnown ? NESTED[type] : undefined }
			: { sqlType: toSqlType(type) }),
	};
}

export const isGeometry = ({ type }: Column) => /^geometry\b/i.test(type);

const isUuid = ({ type }: Column) => /^uuid$/i.test(type);

export const isNested = ({ type }: Column) => /^(list|map|struct)$/i.test(type);

/** `geometry(4326)`, `geometry(EPSG:4326)` and `geometry(OGC:CRS84)` name the same coordinate system. */
function toSridField(type: string): Pick<Column, 'srid'> {
	const [, crs = ''] = /^geometry\((.*)\)$/i.exec(type) ?? [];
	const srid = parseSrid(crs);
	return srid === undefined ? {} : { srid };
}

function toSqlType(type: string): string | undefined {
	const [decimal] = /^decimal\(\d+, ?\d+\)$/i.exec(type) ?? [];
	if (/^fixed\[\d+\]$/i.test(type)) return 'BINARY';
	return decimal?.toUpperCase() ?? SQL_TYPES[type.toLowerCase()];
}

const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

/** A day, alone or as its first moment. */
const DAY = /^(\d{4}-?\d{2}-?\d{2})(?:[T ]00:00(?::00(?:[.,]0+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/i;

const ZONE = /:\d{2}([.,]\d+)?\s*(Z|[+-]\d{2}(:?\d{2})?)$/i;

/**
 * The text of a value that a column holds exactly, for a cast to its type, which is not a nested one.
 * Geometries are read by `parseGeometry`.
 *
 * @param zone of times that name none
 * @returns undefined for a value that it cannot hold, or that the cast would change
 */
export function toTextFor(column: Column, given: string, zone: string): string | undefined {
	const { type, sqlType } = column;
	const text = given.trim();
	switch (sqlType) {
		case 'STRING':
			if (!isUuid(column)) return given;
			// As the engine reads it again, whatever was written.
			return /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)
				? text.toLowerCase()
				: undefined;
		case 'BOOLEAN':
			if (/^(true|yes|on|1)$/i.test(text)) return 'true';
			return /^(false|no|off|0)$/i.test(text) ? 'false' : undefined;
		case 'INT':
			return toWholeNumber(text, 32);
		case 'BIGINT':
			return toWholeNumber(text, 64);
		case 'FLOAT':
		case 'DOUBLE': {
			if (/^(NaN|[+-]?Infinity)$/.test(text)) return text;
			const number = sqlType === 'FLOAT' ? Math.fround(Number(text)) : Number(text);
			const isTooSmall = number === 0 && /^[^e]*[1-9]/i.test(text);
			return NUMBER.test(text) && Number.isFinite(number) && !isTooSmall ? text : undefined;
		}
		case 'DATE': {
			const [, day] = DAY.exec(text) ?? [];
			return day && toIsoDate(day, 'UTC');
		}
		case 'TIMESTAMP':
			return toIsoTime(text, zone);
		case 'TIMESTAMP_NTZ':
			return ZONE.test(text) ? undefined : toIsoTime(text, 'UTC')?.slice(0, -1);
		case 'BINARY':
			return text !== '' || given === '' ? toBytesText(type, text) : undefined;
		default:
			return sqlType?.startsWith('DECIMAL') ? toDecimal(sqlType, text) : undefined;
	}
}

/** A text that is the same for equal values of a column. @param text as `toTextFor` returns it */
export function toKeyText({ sqlType = '' }: Column, text: string): string {
	const [, scale] = /^DECIMAL\(\d+, ?(\d+)\)$/.exec(sqlType) ?? [];
	if (scale === undefined) return text;
	const places = Number(scale);
	const [whole, fraction = ''] = text.replace('-', '').split('.');
	const units = BigInt(`0${whole}${fraction.slice(0, places).padEnd(places, '0')}`);
	const digits = String(units).padStart(places + 1, '0');
	const sign = text.startsWith('-') && units > 0n ? '-' : '';
	return `${sign}${digits.slice(0, digits.length - places)}.${digits.slice(digits.length - places)}`;
}

/** The type of a column in the words of people who do not write SQL; other types as the service names them. */
export function describeType({ type }: Column): string {
	return WORDS[type] ?? type;
}

/** A type for errors: with that of SQL where several have the same words but other limits. */
export function describeExactType(column: Column): string {
	const words = describeType(column);
	return words.endsWith('number') ? `${words} (${column.sqlType})` : words;
}

const WORDS: Record<string, string> = {
	...{ string: 'text', boolean: 'boolean', binary: 'bytes', uuid: 'UUID' },
	...{ int: 'whole number', long: 'whole number', float: 'number', double: 'number' },
	...{ timestamptz: 'date and time', timestamp: 'date and time without a zone' },
	...{ list: 'list', map: 'object', struct: 'object' },
};

/** What a column takes, as the end of a sentence, for the error about a value that it cannot hold. */
export function describeValues(column: Column): string {
	const { sqlType = '' } = column;
	if (isGeometry(column)) return 'WKT, longitude first, such as POINT (7.1 50.7), or GeoJSON';
	if (isUuid(column)) return 'UUIDs such as 5b2f8a31-c7e4-4d0f-9a57-2f1f5f0c7b11';
	if (column.type === 'list') return 'a list, or one as JSON';
	if (isNested(column)) return 'an object, or its JSON text';
	return (
		TAKEN[sqlType.replace(/\(.*/, '')] ?? 'values of a type that this package does not support'
	);
}

const TAKEN: Record<string, string> = {
	...{ STRING: 'text', BOOLEAN: 'true or false', BINARY: 'bytes in Base64' },
	INT: 'whole numbers up to about 2.1 billion, in digits such as 1500',
	BIGINT: 'whole numbers within its range, in digits such as 1500',
	FLOAT: 'numbers within its range, with a period before the decimals, such as 1500.5',
	DOUBLE: 'numbers within its range, with a period before the decimals, such as 1500.5',
	DECIMAL: 'numbers of at most that many digits and decimals, with a period, such as 1500.5',
	DATE: 'days such as 2026-01-31, without a time',
	TIMESTAMP: 'times such as 2026-01-31T09:00:00Z, with at most six digits after the second',
	TIMESTAMP_NTZ:
		'times without a zone, such as 2026-01-31T09:00:00, with at most six digits after the second',
};

function toWholeNumber(text: string, bits: number): string | undefined {
	if (!/^[+-]?\d{1,30}$/.test(text)) return undefined;
	const number = BigInt(text.replace('+', ''));
	return BigInt.asIntN(bits, number) === number ? String(number) : undefined;
}

function toDecimal(sqlType: string, text: string): string | undefined {
	const [precision, scale] = (sqlType.match(/\d+/g) ?? []).map(Number);
	const plain = NUMBER.test(text) ? toPlainDecimal(text.replace(/^\+/, '')) : undefined;
	const [whole, fraction = ''] = plain?.replace(/^-?0*/, '').split('.') ?? [];
	const decimals = fraction.replace(/(?<!0)0+$/, '').length;
	return whole?.length <= precision - scale && decimals <= scale ? plain : undefined;
}

/** Bytes in Base64. */
function toBytesText(type: string, text: string): string | undefined {
	const [, length] = /^fixed\[(\d+)\]$/i.exec(type) ?? [];
	const bytes = Buffer.from(text, 'base64');
	const base64 = bytes.toString('base64');
	const isWhole = text === base64 || text === base64.replace(/={1,2}$/, '');
	return isWhole && (length === undefined || bytes.length === Number(length)) ? base64 : undefined;
}
