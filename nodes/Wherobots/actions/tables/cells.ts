/** The values of items: the columns that they need, and their texts in a statement. */
import type { IDataObject, INodeProperties } from 'n8n-workflow';

import {
	toText,
	isNothing,
	isPlainObject,
	describeKind,
	isPossiblyRounded,
	show,
} from '../../form/values';
import { parseLeadingJson, parseExactJson } from '../../service/json';
import {
	type Column,
	isGeometry,
	parseColumns,
	toTextFor,
	describeValues,
	describeExactType,
} from '../../service/sql/columns';
import { DEGREES, describeMisfit, parseGeometry } from '../../service/sql/geometry';
import { toIsoDate, toIsoTime } from '../../service/time';
import { Failure } from '../../transport/failure';
import type { Call } from '../operations/operation';

/** The error about what an item has for the columns: while they are mapped automatically, the form names none. */
export const toItemFailure = (what: string, description?: string) =>
	new Failure({ message: `The item ${what}`, description, isInput: true });

/** A text, or what `toJsonType` of service/tables/writeRows.ts describes. */
type Cell = string | null | Cell[] | { [part: string]: Cell };

/** Reads the values of an item as texts, each checked against the type of its column, at every depth. */
export class CellReader {
	/**
	 * @param sridField which says the coordinate system of columns that declare none
	 */
	constructor(
		private readonly call: Pick<Call, 'context' | 'input'>,
		private readonly sridField: INodeProperties,
	) {}

	/**
	 * The text of a column's value; null for none.
	 *
	 * @throws Failure that names the place and what it takes
	 */
	read(column: Column, value: unknown): string | null {
		const isEmpty = value === '' && column.sqlType !== 'STRING';
		const cell = this.cellOf(column, isEmpty ? null : value, column.name);
		return typeof cell === 'string' || cell === null ? cell : JSON.stringify(cell);
	}

	/** @param place such as `tags[3].size` */
	private cellOf(column: Column, value: unknown, place: string): Cell {
		const { sqlType, isRequired, parts } = column;
		if (isNothing(value)) {
			if (!isRequired) return null;
			throw this.problem(
				`has no value for ${place}, which must have one`,
				'Give the item a value in a field of that name, or map another field to the column.',
			);
		}
		if (parts && sqlType) return this.nested(column, value, place);
		if (isPossiblyRounded(value) && !/^(FLOAT|DOUBLE)$/.test(sqlType ?? '')) {
			throw this.problem(
				`has a number for ${place} that n8n cannot hold exactly: enter it as text`,
			);
		}
		const isJson = isGeometry(column) && typeof value === 'object';
		const given = isJson ? JSON.stringify(value) : toText(value);
		if (given === undefined) {
			const advice = `It takes ${describeValues(column)}: map a single value to the column.`;
			throw this.refused(column, describeKind(value), place, advice);
		}
		if (isGeometry(column)) return this.geometry(column, given, place);
		const text = toTextFor(column, given, this.call.context.getTimezone());
		if (text?.isWellFormed()) return text;
		const isWord = !isRequired && /^(null|none|undefined|n\/?a|-)$/i.test(given);
		const advice = isWord && `It takes ${describeValues(column)}, or null for no value.`;
		throw this.refused(column, `the value ${show(value)}`, place, advice || undefined);
	}

	/** WKT, or EWKT for a column that declares no coordinate system. */
	private geometry(column: Column, given: string, place: string): string {
		const geometry = parseGeometry(given);
		const { problem, srid, wkt } = geometry;
		if (problem !== undefined) {
			const advice = `${problem}. ${adviseOnPlace(given)}It takes ${describeValues(column)}.`;
			throw this.refused(column, `the value ${show(given)}`, place, advice);
		}
		const isUndeclared = column.srid === undefined;
		const misfit = describeMisfit(geometry, column.srid);
		if (!misfit) return isUndeclared && srid !== undefined ? `SRID=${srid};${wkt}` : wkt;
		const isChoice = isUndeclared && srid !== DEGREES;
		const choice =
			srid === undefined
				? `If the coordinates are not in degrees, set '${this.sridField.displayName}' to their coordinate system. `
				: `If all geometries of the column are in EPSG:${srid}, set '${this.sridField.displayName}' to ${srid}. `;
		throw this.refused(column, misfit.what, place, `${isChoice ? choice : ''}${misfit.advice}`);
	}

	private nested(column: Column, value: unknown, place: string): Cell {
		const { type, parts = [] } = column;
		const given = typeof value === 'string' ? parseLeadingJson(value, parseExactJson) : value;
		if (type === 'list' && Array.isArray(given)) {
			return given.map((each, at) => this.cellOf(parts[0], each, `${place}[${at}]`));
		}
		if (type === 'list' || !isPlainObject(given)) {
			throw this.refused(column, `the value ${show(value)}`, place);
		}
		return type === 'map' ? this.entries(parts, given, place) : this.members(parts, given, place);
	}

	private entries([key, each]: Column[], given: IDataObject, place: string): Cell {
		const keys = new Set<string>();
		return Object.entries(given).map(([name, value]) => {
			const m0 = this.cellOf(key, name, `a key of ${place}`);
			if (keys.size === keys.add(JSON.stringify(m0)).size) {
				throw this.problem(`has the key ${show(name)} twice in ${place}`);
			}
			return { m0, m1: this.cellOf(each, value, `${place}[${show(name)}]`) };
		});
	}

	private members(parts: Column[], given: IDataObject, place: string): Cell {
		const names = parts.map(({ name }) => name);
		const unknown = Object.keys(given).find((name) => !names.includes(name));
		if (unknown !== undefined) {
			throw this.problem(
				`has ${show(unknown)} in ${place}, which is not a member of this structure`,
				`Its members are ${names.join(', ')}.`,
			);
		}
		const cells = parts.map((part, at) => {
			const value = Object.hasOwn(given, part.name) ? given[part.name] : undefined;
			return [`m${at}`, this.cellOf(part, value, `${place}.${part.name}`)];
		});
		return [Object.fromEntries(cells) as Record<string, Cell>];
	}

	private refused(
		column: Column,
		what: string,
		place: string,
		advice = `It takes ${describeValues(column)}.${adviseOnDate(column)}`,
	) {
		return this.problem(
			`has ${what} for ${place}, whose type is ${describeExactType(column)}`,
			advice,
		);
	}

	private problem(what: string, advice?: string) {
		return toItemFailure(what, advice);
	}
}

/** What helps with common notations of a point that are not WKT; empty, or with a space at the end. */
function adviseOnPlace(given: string): string {
	if (/^0[01][0-9a-f]{18,}$/i.test(given))
		return 'This is WKB in hexadecimal digits, as PostGIS returns it: use ST_AsText there. ';
	return /^-?\d+(\.\d+)?(?:[,;] ?| )-?\d|"lat(itude)?"/.test(given.trim())
		? "For latitude and longitude, use the options 'Latitude Field' and 'Longitude Field'. "
		: '';
}

/** How to convert a date, where the column takes one; empty, or with a space at the beginning. */
function adviseOnDate({ sqlType = '' }: Column): string {
	if (!/^(DATE|TIMESTAMP)/.test(sqlType)) return '';
	const method = sqlType === 'DATE' ? 'toISODate' : 'toISO';
	return ` Convert other formats in an expression: {{ DateTime.fromFormat('31.01.2026', 'dd.MM.yyyy').${method}() }}.`;
}

/** As the details of a table have it: a name, or an object with the type of a nested one. */
type Type = string | IDataObject;

/**
 * A column for each field of the items, and the fields that are empty in all of them.
 *
 * @param zone of times that name none
 * @param srid of geometries that name no coordinate system
 */
export function detectColumns(items: IDataObject[], zone: string, srid: number) {
	const fields = listValues(items).map(([name, values]) => {
		const type = detectGeometry(values, srid) ?? detectType(values, zone);
		return { name, type: type ?? 'string', isEmpty: type === undefined };
	});
	const empty = fields.filter(({ isEmpty }) => isEmpty).map(({ name }) => name);
	return { columns: parseColumns({ schema: { fields } }), empty };
}

const isGiven = (value: unknown) => !isNothing(value) && value !== '';

/** The values under each name. */
function listValues(records: IDataObject[]): Array<[name: string, values: unknown[]]> {
	const groups = new Map<string, unknown[]>();
	for (const [name, value] of records.flatMap(Object.entries<unknown>)) {
		const group = groups.get(name) ?? [];
		groups.set(name, group);
		if (isGiven(value)) group.push(value);
	}
	return [...groups];
}

/** Undefined when there is no value. */
function detectType(values: unknown[], zone: string): Type | undefined {
	if (values.length === 0) return undefined;
	if (values.every(Array.isArray)) {
		return { type: 'list', element: detectType(values.flat().filter(isGiven), zone) ?? 'string' };
	}
	if (values.every(isPlainObject)) {
		const fields = listValues(values).map(([name, of]) => ({
			name,
			type: detectType(of, zone) ?? 'string',
		}));
		return fields.length > 0 ? { type: 'struct', fields } : undefined;
	}
	const types = [...new Set(values.map((value) => detectSimpleType(value, zone)))];
	const areAll = (...of: string[]) => types.every((type) => of.includes(type));
	if (types.length === 1) return types[0];
	if (areAll('long', 'double')) return 'double';
	return areAll('date', 'timestamptz') ? 'timestamptz' : 'string';
}

function detectSimpleType(value: unknown, zone: string): string {
	if (typeof value === 'boolean') return 'boolean';
	const isLong = Number.isInteger(value) && Math.abs(Number(value)) < 2 ** 63;
	if (typeof value === 'number') return isLong ? 'long' : 'double';
	const text = toText(value) ?? '';
	if (/^\d{4}-\d{2}-\d{2}$/.test(text) && toIsoDate(text, 'UTC')) return 'date';
	return /^\d{4}-\d{2}-\d{2}T/.test(text) && toIsoTime(text, zone) ? 'timestamptz' : 'string';
}

const GEOMETRY = /^\s*(\{|SRID=|(MULTI)?(POINT|LINESTRING|POLYGON)|GEOMETRYCOLLECTION)/i;

/** Undefined unless all values are geometries. The first coordinate system that is named is the column's. */
function detectGeometry(values: unknown[], srid: number): string | undefined {
	let named: number | undefined;
	for (const value of values) {
		const text = isPlainObject(value) ? JSON.stringify(value) : value;
		const geometry = typeof text === 'string' && GEOMETRY.test(text) && parseGeometry(text);
		if (!geometry || geometry.problem !== undefined) return undefined;
		named ??= geometry.srid;
	}
	return values.length > 0 ? `geometry(${named ?? srid})` : undefined;
}
