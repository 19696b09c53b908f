/** Create: a table with columns that are given, or that the items need. */
import type { IDataObject } from 'n8n-workflow';

import { catalogPart, namespacePart, readAddress, type Address } from '../../form/address';
import * as declare from '../../form/declarations';
import { toItem } from '../../form/output';
import { toFlag, show } from '../../form/values';
import { limitLength } from '../../service/rules';
import { isGeometry, parseColumns, type Column } from '../../service/sql/columns';
import { DEGREES } from '../../service/sql/geometry';
import * as tables from '../../service/tables/names';
import { explainReading, isAmbiguous } from '../../transport/failure';
import { addHintOnce, type Call } from '../operations/operation';
import { defineSettings } from '../sql/fields';
import { executeWritten, isPossiblyDone } from '../sql/execution';
import { readSettings } from '../sql/query';
import { detectColumns } from './cells';
import {
	defineTableStatement,
	fetchTableName,
	findTable,
	requireTableName,
	type SqlTable,
} from './sqlTable';

const nameField = declare.defineTextField({
	displayName: 'Table Name',
	name: 'tableName',
	required: true,
	placeholder: 'e.g. buildings',
	description: 'Name of the new table, without its catalog and namespace',
	rule: tables.checkTableName,
});

const columnsField = declare.defineRowsField({
	displayName: 'Columns',
	name: 'newColumns',
	placeholder: 'Add column',
	description: 'The columns of the table, in this order',
	row: {
		displayName: 'Column',
		name: 'newColumn',
		values: [
			declare.defineTextField({ displayName: 'Name', name: 'name', placeholder: 'e.g. height' }),
			declare.defineChoiceField({
				displayName: 'Type',
				name: 'type',
				options: {
					...{ BIGINT: 'Big Integer', BINARY: 'Binary', BOOLEAN: 'Boolean', DATE: 'Date' },
					...{ other: 'Decimal or Other', DOUBLE: 'Double', 'GEOMETRY(4326)': 'Geometry' },
					...{ INT: 'Integer', STRING: 'String', TIMESTAMP: 'Timestamp' },
					...{ TIMESTAMP_NTZ: 'Timestamp Without Zone' },
				},
				default: 'STRING',
				description: 'What the column holds. A geometry has longitude and latitude (SRID 4326).',
			}),
			declare.defineTextField({
				displayName: 'SQL Type',
				name: 'sqlType',
				placeholder: 'e.g. decimal(10, 2), array<string> or geometry(3857)',
				displayOptions: { show: { type: ['other'] } },
			}),
			declare.defineSwitchField({
				displayName: 'Required',
				name: 'required',
				description: 'Whether each row must have a value',
			}),
		],
	},
});

const fromItemsField = declare.defineSwitchField({
	displayName: 'Add Columns From Input Items',
	name: 'columnsFromItems',
	description:
		'Whether to add a column for each field of the input items, with a type that fits the values of all items. Columns given above keep their type.',
});

const partitionsField = declare.defineTextField({
	displayName: 'Partitioned By',
	name: 'partitionedBy',
	placeholder: 'e.g. days(seen), bucket(16, city)',
	description:
		'Columns, or transforms of columns, such as days(seen), bucket(16, city) or truncate(4, city)',
	rule: limitLength(2_000),
});

const ifExistsField = declare.defineChoiceField<'fail' | 'use'>({
	displayName: 'If the Table Exists',
	name: 'ifTableExists',
	options: {
		fail: ['Fail the Node', 'Leave the table as it is'],
		use: ['Use It', 'Continue with the existing table if it has these columns'],
	},
	default: 'fail',
	description: 'What to do when the namespace has a table with this name',
});

const onlyShowField = declare.defineSwitchField({
	displayName: 'Preview Only',
	name: 'onlyShow',
	description: 'Whether to return the columns and the statement, and create nothing',
});

const optionsField = defineSettings(partitionsField);

export const create = defineTableStatement({
	name: 'Create',
	value: 'create',
	action: 'Create table',
	description: 'Create a table with given columns, or with those that the input items need',
	hint: "Before the first Insert Rows: 'Add Columns From Input Items' takes the types from the items. To run it again and again, set 'If the Table Exists' to 'Use It'.",
	address: [catalogPart, namespacePart],
	fields: [nameField, columnsField, fromItemsField, ifExistsField, onlyShowField],
	options: optionsField,
	async execute(call) {
		const wanted = readForm(call);
		return { submit: async () => [toItem({ ...(await createOnce(call, wanted)) })] };
	},
});

/** For operations that write to a table. */
export const createTableOption = declare.defineSwitchField({
	displayName: 'Create Missing Table',
	name: 'createMissingTable',
	description:
		'Whether to create the table if it does not exist, with a column for each field of the input items',
});

type Wanted = ReturnType<typeof readForm>;

function readForm(call: Call) {
	const { input } = call;
	const { names, path } = readAddress(input, [catalogPart, namespacePart]);
	const name = input.text(nameField);
	const columns = readColumns(call);
	const address: Address = { names: { ...names, name }, path: { ...path, table_name: name } };
	return {
		address,
		columns,
		partitions: readPartitions(input, columns),
		settings: readSettings(input),
		/** Whether a table that is there will do. */
		mayExist: input.choice(ifExistsField) === 'use',
		isOnlyShown: input.flag(onlyShowField),
	};
}

/** Those of the form, then those of the items. @throws Failure that names one that is no column */
function readColumns(call: Call): tables.NewColumn[] {
	const { input } = call;
	const given = input.rows(columnsField).map(({ name, type, sqlType, required }) => {
		const isRequired = toFlag(required);
		const column = { name, type: type === 'other' ? sqlType.trim() : type };
		const refused = (what: string) =>
			input.problem(columnsField, `has the column ${show(name)}, whose ${what}`);
		if (isRequired === undefined)
			throw refused(`'Required' must be on or off, not ${show(required)}`);
		if (tables.isType(column.type)) return { ...column, isRequired };
		const examples = 'decimal(10, 2), array<string> or struct<name: string, size: int>';
		throw refused(`'SQL Type' must be a type such as ${examples}, not ${show(sqlType)}`);
	});
	const isGiven = ({ name }: Column) => given.some((each) => each.name === name);
	const inferred = input.flag(fromItemsField) ? detectOnce(call) : [];
	const others = inferred.filter((column) => !isGiven(column));
	const columns = [...given, ...toNewColumns(others)];
	checkNames(call, columns);
	if (columns.length > 0) return columns;
	const add = `Add columns, or turn on '${fromItemsField.displayName}'.`;
	const advice = input.flag(fromItemsField) ? NO_FIELDS : add;
	throw input.problem(columnsField, 'must not be empty', advice);
}

const NO_FIELDS = 'The input items have no fields, so there is nothing to make columns from.';

const toNewColumns = (columns: Column[]): tables.NewColumn[] =>
	columns.map((column) => ({ ...column, type: tables.toTypeText(column) }));

const listTypes = (columns: tables.NewColumn[]) =>
	columns.map(({ name, type }) => ({ name, type }));

/** @throws Failure that names a column that Spark cannot take */
function checkNames({ input }: Call, columns: Array<{ name: string }>): void {
	const known = new Map<string, string>();
	for (const { name } of columns) {
		const what = tables.checkName(name);
		if (what) throw input.problem(columnsField, `has the name ${show(name)}, which ${what}`);
		const other = known.get(name.toLowerCase());
		known.set(name.toLowerCase(), name);
		if (other === undefined) continue;
		const both = `has both ${show(other)} and ${show(name)}, which are the same name in SQL`;
		throw input.problem(columnsField, both, 'Rename one of them.');
	}
}

function readPartitions(input: Call['input'], columns: tables.NewColumn[]): string[] {
	const names = columns.map(({ name }) => name);
	const given = input.within(optionsField).optionalText(partitionsField) ?? '';
	const partitions = tables.parsePartitions(given, names);
	if (typeof partitions !== 'string') return partitions;
	const advice = `The columns are ${names.join(', ')}. Transforms are years(time), months(time), days(time), hours(time), bucket(16, column) and truncate(4, column).`;
	throw input.problem(partitionsField, partitions, advice);
}

/** The columns that all items need. @param srid of geometries that name no coordinate system */
function detectOnce(call: Call, srid = DEGREES): Column[] {
	const { context, input, memory } = call;
	return memory.attempt<Column[]>('inferred columns').get(() => {
		const items = context.getInputData().map(({ json }) => json);
		for (const item of items) input.checkDepth(fromItemsField, item);
		const { columns, empty } = detectColumns(items, context.getTimezone(), srid);
		const message = `No item has a value for ${empty.join(', ')}, so the type is STRING.`;
		if (empty.length > 0) addHintOnce(call, 'empty', { message, type: 'info' });
		return columns;
	});
}

/** All items that want the same share one table. */
const createOnce = async (call: Call, wanted: Wanted) =>
	await call.memory
		.attempt<Promise<IDataObject>>('create', wanted)
		.get(async () => createTable(call, wanted));

async function createTable(call: Call, wanted: Wanted): Promise<IDataObject> {
	const { address, columns, partitions, settings, mayExist } = wanted;
	const table = await fetchTableName(call, address.names);
	const known = { table, created: false, columns: listTypes(columns) };
	const to = mayExist ? `IF NOT EXISTS ${table}` : table;
	const text = tables.buildCreate(to, columns, partitions);
	if (wanted.isOnlyShown) return { ...known, statement: text };
	const send = async (): Promise<IDataObject> => {
		const found = await findTable(call.client, address.path);
		if (found) return { ...known, columns: checkExisting(call, parseColumns(found), wanted) };
		const next = mayExist
			? 'Running it again is safe: it uses the table if it exists.'
			: `If there is a table ${table} now (Table: Get), it was created.`;
		const sending = executeWritten(call, settings, { text, isRepeatable: mayExist });
		const { done } = await explainReading(sending, (failure) =>
			isAmbiguous(failure) ? { after: next } : {},
		);
		return { ...known, created: true, ...done };
	};
	// With IF NOT EXISTS it may be sent again.
	if (mayExist) return await send();
	return await call.memory.item<IDataObject>('create', text).once(send, isPossiblyDone(false));
}

/** The columns of a table that is there. @throws Failure when it will not do */
function checkExisting({ input }: Call, existing: Column[], { columns, mayExist }: Wanted) {
	const types = listTypes(toNewColumns(existing));
	const other = columns.find(({ name, type }) => {
		const own = types.find((each) => each.name === name)?.type ?? 'none';
		// Older tables declare no coordinate system.
		const isUndeclared = own === 'GEOMETRY' && /^geometry\(/i.test(type);
		return !isUndeclared && !tables.isSameType(own, type);
	});
	if (mayExist && !other) return types;
	const what = other && mayExist ? ` without a column ${other.name} of type ${other.type}` : '';
	const known = types.map(({ name, type }) => `${name} ${type}`).join(', ');
	throw input.problem(
		nameField,
		`is the name of an existing table${what}`,
		`Its columns are ${known}. Choose another name${mayExist ? '' : `, or set '${ifExistsField.displayName}' to 'Use It'`}.`,
	);
}

/**
 * The table that all items need, which it can create.
 *
 * @param point the fields of items that its geometry is made of
 * @param srid of geometries that name no coordinate system
 */
export async function prepareTable(
	call: Call,
	address: Address,
	point: string[] = [],
	srid = DEGREES,
): Promise<SqlTable> {
	requireTableName(call, address);
	const columns = detectOnce(call, srid).filter(({ name }) => !point.includes(name));
	if (point.length > 0 && !columns.some(isGeometry)) {
		const fields = [{ name: 'geometry', type: `geometry(${srid})` }];
		columns.push(...parseColumns({ schema: { fields } }));
	}
	if (columns.length === 0) throw call.input.problem(createTableOption, 'needs columns', NO_FIELDS);
	checkNames(call, columns);
	const wanted = {
		...{ address, partitions: [], mayExist: true, isOnlyShown: false },
		...{ settings: readSettings(call.input), columns: toNewColumns(columns) },
	};
	const create = async () => await createOnce(call, wanted);
	return { name: await fetchTableName(call, address.names), columns, details: {}, create };
}
