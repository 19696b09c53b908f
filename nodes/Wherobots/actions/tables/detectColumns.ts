/** The columns that items need, as their values show. */
import type { IDataObject } from 'n8n-workflow';

import { isNothing, isPlainObject, toText } from '../../form/values';
import { parseColumns } from '../../service/sql/columns';
import { parseGeometry } from '../../service/sql/geometry';
import { toIsoDate, toIsoTime } from '../../service/time';

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
