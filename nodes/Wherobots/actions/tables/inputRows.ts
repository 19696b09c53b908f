/** The rows that input items make: their form, and their values as the columns take them. */
import {
	type IDataObject,
	type INodeProperties,
	type ResourceMapperTypeOptions,
} from 'n8n-workflow';

import { type Address, readAddress, tableAddress, tablePart } from '../../form/address';
import { defineChoiceField, defineCountField, defineSwitchField } from '../../form/declarations';
import { toText, isNothing, isPlainObject, describeKind, show } from '../../form/values';
import { type Column, isGeometry } from '../../service/sql/columns';
import { DEGREES } from '../../service/sql/geometry';
import { requireNumberFrom } from '../../service/rules';
import { type Result, settle } from '../../transport/failure';
import { fetchRecord } from '../../transport/records';
import { addHintOnce, type Call } from '../operations/operation';
import { defineSettings } from '../sql/fields';
import { readSettings } from '../sql/query';
import { CellReader, toItemFailure } from './cells';
import { createTableOption, prepareTable } from './create.operation';
import {
	definePointOptions,
	fetchSqlTable,
	isTableMissing,
	readPointOptions,
	requireGeometryColumn,
	listColumns,
} from './sqlTable';

/** The field that maps the fields of items to columns. */
export const defineRowField = (
	description: string,
	mapper: Pick<ResourceMapperTypeOptions, 'mode' | 'multiKeyMatch'>,
): INodeProperties => ({
	displayName: 'Columns',
	name: 'row',
	type: 'resourceMapper',
	noDataExpression: true,
	description,
	default: { mappingMode: 'autoMapInputData', value: null },
	typeOptions: {
		loadOptionsDependsOn: [`${tablePart.field.name}.value`],
		resourceMapper: {
			resourceMapperMethod: 'getTableColumns',
			fieldWords: { singular: 'column', plural: 'columns' },
			addAllFields: true,
			supportAutoMap: true,
			...mapper,
		},
	},
});

const ignoreOption = defineSwitchField({
	displayName: 'Ignore Unknown Fields',
	name: 'ignoreUnknownFields',
	description:
		'Whether to leave out fields of the input items that are not columns of the table, instead of failing',
});

const POINT_OPTIONS = definePointOptions(
	'Field',
	(what) =>
		`The field of the input items with the ${what} of a point. Latitude and longitude fill the geometry column.`,
);

const sridOption = defineCountField({
	displayName: 'SRID',
	name: 'srid',
	default: 4326,
	description:
		'Coordinate system of the geometries. Set it if they are not in degrees, and the column declares none (as in older tables) or the node creates the table.',
});

export const sendRowsAsOption = defineChoiceField({
	displayName: 'Send Rows As',
	name: 'sendRowsAs',
	options: {
		automatic: [
			'Automatic',
			'One statement, so that all rows are written or none: with the rows in it, or from a file in managed storage that is removed afterwards',
		],
		statements: [
			'Statements',
			'As many statements as it takes, one after the other, without a file. If one of them fails, the rows of earlier statements stay in the table.',
		],
	},
	default: 'automatic',
	description: 'How to send the rows',
});

export const rowOptions = [
	...[createTableOption, ignoreOption, ...POINT_OPTIONS, sendRowsAsOption, sridOption],
];

export const rowOptionsField = defineSettings(...rowOptions);

/**
 * What the form says, read once for all items where none of its fields, apart from mapped values, has an
 * expression, which may have another value for each.
 */
export async function readOnce<T>({ context, memory }: Call, read: () => Promise<T>): Promise<T> {
	const hasExpression = memory.attempt<boolean>('has expression').get(() => {
		const { row, ...others } = context.getNode().parameters;
		const mapper = isPlainObject(row) ? { ...row, value: null } : row;
		return JSON.stringify([mapper, others]).includes('"=');
	});
	if (hasExpression) return await read();
	return await memory.attempt<Promise<T>>('form').get(read);
}

/** The most rows of one use that are sent without a file. */
const MOST_IN_STATEMENTS = 10_000;

/** What the form says apart from the values of an item. @param field the one that maps fields to columns */
export async function readRowForm(call: Call, field: INodeProperties) {
	const { context, input, itemIndex } = call;
	const options = input.within(rowOptionsField);
	const isAtomic = options.choice(sendRowsAsOption) === 'automatic';
	const count = context.getInputData().length;
	if (!isAtomic && count > MOST_IN_STATEMENTS) {
		throw input.problem(
			sendRowsAsOption,
			`can be Statements for at most 10,000 rows, not ${count}`,
			'No row was sent. Automatic has no such limit.',
		);
	}
	const address = readAddress(input, tableAddress);
	const settings = readSettings(input);
	const srid = options.optionalInteger(sridOption);
	const names = readPointNames(call);
	const table = await fetchTarget(call, address, names, srid);
	const mode = context.getNodeParameter(`${field.name}.mappingMode`, itemIndex, '');
	return {
		...{ field, table, settings },
		/** Whether all rows are written or none. */
		isAtomic,
		/** With the coordinate system that geometries get. */
		columns: table.columns.map((column): Column => {
			const { name, srid: system = srid } = column;
			if (srid === undefined || system === srid)
				return isGeometry(column) ? { ...column, srid: system } : column;
			throw input.problem(sridOption, `must be ${system}, as ${name} declares, not ${srid}`);
		}),
		/** Equal for rows that are sent together. */
		key: JSON.stringify([table.name, settings, isAtomic, srid]),
		/** Whether fields of items go to the columns of their names. */
		isAutomatic: mode === 'autoMapInputData',
		isIgnoring: options.flag(ignoreOption),
		/** The fields with latitude and longitude, and where their column is. */
		point: names && {
			names,
			at: table.columns.indexOf(requireGeometryColumn(call, POINT_OPTIONS[1], table)),
		},
	};
}

export type RowForm = Awaited<ReturnType<typeof readRowForm>>;

type PointForm = NonNullable<RowForm['point']>;

/** The table, or the one that the items need. */
async function fetchTarget(call: Call, address: Address, point?: string[], srid?: number) {
	const { client, input, memory } = call;
	// Read in any case: a value that is no switch is refused whether or not there is a table.
	const mayCreate = input.within(rowOptionsField).flag(createTableOption);
	const found = await settle(fetchSqlTable(call, address));
	if (found.ok) return found.value;
	if (!isTableMissing(found.error)) throw found.error;
	if (mayCreate) return await prepareTable(call, address, point, srid);
	const path = { ...address.path, view_name: address.path.table_name };
	const view = memory.attempt<Promise<Result<IDataObject>>>('view', path);
	if ((await view.get(async () => settle(fetchRecord(client, 'getView', { path })))).ok) {
		throw input.problem(
			tablePart.field,
			'is a view, which takes no rows: choose the table behind it',
		);
	}
	const after = `To create it, turn on '${createTableOption.displayName}' under 'Options', or use Table: Create.`;
	throw found.error.withContext({ after });
}

function readPointNames({ context, input, itemIndex }: Call): string[] | undefined {
	const items = context.getInputData();
	return readPointOptions(input.within(rowOptionsField), POINT_OPTIONS)?.map((name, at) => {
		if (items.some(({ json }) => Object.hasOwn(json, name))) return name;
		const advice = listFields(items[itemIndex].json);
		throw input.problem(POINT_OPTIONS[at], `is ${show(name)}, which no item has`, advice);
	});
}

/** A sentence for errors. */
const listFields = (item: IDataObject) =>
	`This item has the fields ${Object.keys(item).join(', ')}.`;

/**
 * The values of an item's row.
 *
 * @param mayLack whether it may have no value for a column that must have one
 * @throws Failure that names the column and what is wrong with its value
 */
export function readRow(call: Call, form: RowForm, mayLack = false) {
	const { context, input, itemIndex } = call;
	const { columns, isAutomatic, isIgnoring, point } = form;
	const { binary, json: item } = context.getInputData()[itemIndex];
	const values = readValues(call, form, item);
	const place = point && readPoint(call, point, item);
	const isKnown = (name: string) =>
		columns.some((column) => column.name === name) || point?.names.includes(name);
	const unknown = Object.keys(values).filter((name) => !isKnown(name));
	const hasOtherCase = (name: string) =>
		columns.some((column) => column.name.toLowerCase() === name.toLowerCase());
	const wrong = isIgnoring ? unknown.find(hasOtherCase) : unknown[0];
	if (wrong !== undefined) {
		throw toItemFailure(
			`has "${wrong}", which is not a column of this table`,
			`${listColumns(columns)} Rename the field, or map each column${hasOtherCase(wrong) ? '' : ", or turn on 'Ignore Unknown Fields'"}.`,
		);
	}
	const filled = point && columns[point.at].name;
	if (place && filled !== undefined && getValue(values, filled)) {
		const both = `and the item both fill ${filled}: remove one of them`;
		throw input.problem(POINT_OPTIONS[0], both);
	}
	if (!place && !columns.some(({ name }) => Object.hasOwn(values, name))) {
		const isBare = isAutomatic && Object.keys(item).length === 0;
		const what = `has no column of this table${isBare ? ': this item has no fields' : ''}`;
		const load = 'To load its file, store it (File: Upload), and use Table: Load File.';
		const names = isBare
			? ' Choose Map Each Column Manually, or output fields with these names in an earlier node.'
			: '';
		throw toItemFailure(what, isBare && binary ? load : listColumns(columns) + names);
	}
	for (const { name } of isAutomatic ? [] : columns) {
		if (!Object.hasOwn(values, name) || values[name] !== undefined) continue;
		const message = `Item ${itemIndex} is the first without a value for ${name}: new rows have NULL there.`;
		addHintOnce(call, `nothing in ${name}`, { message, type: 'info' });
	}
	const reader = new CellReader(call, sridOption);
	const given = columns.map(({ name }, at) => (at === point?.at ? place : getValue(values, name)));
	return {
		/** In the order of the columns. */
		cells: columns.map((column, at) =>
			mayLack && given[at] === undefined ? null : reader.read(column, given[at]),
		),
		/** Whether the item has a value for each column, which may be NULL. */
		isGiven: given.map((value) => value !== undefined),
	};
}

export type ItemRow = ReturnType<typeof readRow>;

/** What is mapped to columns. By hand, a field that was left empty in the form is not. */
function readValues(
	{ context, input, itemIndex }: Call,
	{ field, isAutomatic }: RowForm,
	item: IDataObject,
): IDataObject {
	if (isAutomatic) return item;
	const values: unknown = context.getNodeParameter(`${field.name}.value`, itemIndex, {});
	if (!isPlainObject(values)) throw input.problem(field, `must have values, not ${show(values)}`);
	const mapped = context.getNode().parameters[field.name];
	const entered = isPlainObject(mapped) ? (mapped as IDataObject).value : undefined;
	input.checkResolved(field, mapped);
	const isEmpty = (name: string) => isPlainObject(entered) && entered[name] === null;
	return Object.fromEntries(Object.entries(values).filter(([name]) => !isEmpty(name)));
}

const getValue = (values: IDataObject, name: string): unknown =>
	Object.hasOwn(values, name) ? values[name] : undefined;

/** The point in two fields of an item; null without coordinates, undefined without the fields. */
function readPoint({ input }: Call, { names }: PointForm, item: IDataObject) {
	const [latitude, longitude] = names.map((name, at) => {
		const value = getValue(item, name);
		if (isNothing(value) || value === '') return undefined;
		const most = at === 0 ? 90 : 180;
		const what = requireNumberFrom(-most, most)(toText(value) ?? describeKind(value));
		if (what === undefined) return Number(toText(value));
		throw input.problem(POINT_OPTIONS[at], `is ${show(name)}, whose value ${what}`);
	});
	if ((latitude === undefined) !== (longitude === undefined)) {
		const at = latitude === undefined ? 0 : 1;
		throw input.problem(
			POINT_OPTIONS[at],
			`is ${show(names[at])}, which has no value in this item`,
			listFields(item),
		);
	}
	if (latitude !== undefined) return `SRID=${DEGREES};POINT (${longitude} ${latitude})`;
	return names.some((name) => Object.hasOwn(item, name)) ? null : undefined;
}
