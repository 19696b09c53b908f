/** The values of an item as texts of a statement, each checked against its type, at every depth. */
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
	toTextFor,
	describeValues,
	describeExactType,
} from '../../service/sql/columns';
import { DEGREES, describeMisfit, parseGeometry } from '../../service/sql/geometry';
import type { Call } from '../operations/operation';

/** A text, or what `toJsonType` of service/tables/rowSource.ts describes. */
type Cell = string | null | Cell[] | { [part: string]: Cell };

export class CellReader {
	/**
	 * @param field that errors name
	 * @param sridField which says the coordinate system of columns that declare none
	 */
	constructor(
		private readonly call: Pick<Call, 'context' | 'input'>,
		private readonly field: INodeProperties,
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
			throw this.problem(`has no value for ${place}, which must have one`);
		}
		if (parts && sqlType) return this.nested(column, value, place);
		if (isPossiblyRounded(value) && !/^(FLOAT|DOUBLE)$/.test(sqlType ?? '')) {
			throw this.problem(`has a number for ${place} that n8n cannot hold exactly: give it as text`);
		}
		const isJson = isGeometry(column) && typeof value === 'object';
		const given = isJson ? JSON.stringify(value) : toText(value);
		if (given === undefined) throw this.refused(column, describeKind(value), place);
		if (isGeometry(column)) return this.geometry(column, given, place);
		const text = toTextFor(column, given, this.call.context.getTimezone());
		if (text?.isWellFormed()) return text;
		throw this.refused(column, `the value ${show(value)}`, place);
	}

	/** WKT, or EWKT for a column that declares no coordinate system. */
	private geometry(column: Column, given: string, place: string): string {
		const geometry = parseGeometry(given);
		const { problem, srid, wkt } = geometry;
		if (problem !== undefined) {
			const advice = `${problem}. It takes ${describeValues(column)}.`;
			throw this.refused(column, `the value ${show(given)}`, place, advice);
		}
		const isUndeclared = column.srid === undefined;
		const misfit = describeMisfit(geometry, column.srid);
		if (!misfit) return isUndeclared && srid !== undefined ? `SRID=${srid};${wkt}` : wkt;
		const isChoice = isUndeclared && srid !== DEGREES;
		const choice = `If all geometries of the column are, set '${this.sridField.displayName}' to ${srid}. `;
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
		advice = `It takes ${describeValues(column)}.`,
	) {
		return this.problem(
			`has ${what} for ${place}, whose type is ${describeExactType(column)}`,
			advice,
		);
	}

	private problem(what: string, advice?: string) {
		return this.call.input.problem(this.field, what, advice);
	}
}
