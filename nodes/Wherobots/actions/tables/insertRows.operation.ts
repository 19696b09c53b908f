/** Insert Rows: each input item is a row of a table, checked before anything is sent. */
import type { IDataObject, INodeExecutionData, INodeProperties } from 'n8n-workflow';

import { readAddress, tableAddress, tablePart, type Address } from '../../form/address';
import { defineCountField, defineSwitchField, defineTextField } from '../../form/declarations';
import { toItem } from '../../form/output';
import { toText, isNothing, isPlainObject, describeKind, show } from '../../form/values';
import { type Column, isGeometry } from '../../service/sql/columns';
import { DEGREES } from '../../service/sql/geometry';
import { type Cells, toInsertHead, buildInsert, toRowText } from '../../service/tables/insertRows';
import { requireNumberFrom } from '../../service/rules';
import { toTextLiteral } from '../../service/sql/statements';
import {
	type Context,
	explainReading,
	type Result,
	settle,
	addContext,
} from '../../transport/failure';
import { joinLines } from '../../transport/text';
import type { Memo } from '../execution/memory';
import type { Call, Operation } from '../operations/operation';
import { sessionRegionField, sessionRuntimeField, defineSettings } from '../sql/fields';
import { isPossiblyDone, requireSockets, run } from '../sql/index';
import { readSettings, addStatement } from '../sql/query';
import { CellReader } from './cells';
import { createTableOption, fetchOrPlanTable } from './create.operation';
import {
	requireGeometryColumn,
	listColumns,
	fetchSqlTable,
	showStatement,
	type SqlTable,
} from './sqlTable';

const rowField: INodeProperties = {
	displayName: 'Columns',
	name: 'row',
	type: 'resourceMapper',
	noDataExpression: true,
	description:
		'The values of each row. A geometry is WKT or GeoJSON; bytes are Base64; lists and structures are JSON. A column without a value is NULL.',
	default: { mappingMode: 'autoMapInputData', value: null },
	typeOptions: {
		loadOptionsDependsOn: [`${tablePart.field.name}.value`],
		resourceMapper: {
			resourceMapperMethod: 'getTableColumns',
			mode: 'add',
			fieldWords: { singular: 'column', plural: 'columns' },
			addAllFields: true,
			multiKeyMatch: false,
			supportAutoMap: true,
		},
	},
};

const ignoreOption = defineSwitchField({
	displayName: 'Ignore Unknown Fields',
	name: 'ignoreUnknownFields',
	description:
		'Whether to leave out fields of the input items that are not columns of the table, instead of failing',
});

const latitudeOption = defineTextField({
	displayName: 'Latitude Field',
	name: 'latitudeField',
	exact: true,
	placeholder: 'e.g. lat',
	description:
		"The field of the input items whose value, together with that of 'Longitude Field', is the point for the geometry column",
});

const longitudeOption = defineTextField({
	displayName: 'Longitude Field',
	name: 'longitudeField',
	exact: true,
	placeholder: 'e.g. lon',
	description: 'The field of the input items with the longitude of the point',
});

const sridOption = defineCountField({
	displayName: 'SRID',
	name: 'srid',
	default: 4326,
	description:
		'Coordinate system of the geometries. Defaults to the one that the column declares; older tables declare none.',
});

const optionsField = defineSettings(
	...[createTableOption, ignoreOption, latitudeOption, longitudeOption, sridOption],
);

/** The table, or the one that the items need. */
async function fetchTarget(call: Call, address: Address, srid: number | undefined) {
	const options = call.input.within(optionsField);
	if (!options.flag(createTableOption)) return await fetchSqlTable(call, address);
	const point = [latitudeOption, longitudeOption].map((field) => options.optionalText(field));
	const given = point.filter((name) => name !== undefined);
	return await fetchOrPlanTable(call, address, { point: given, srid });
}

/** The columns of a table, with the coordinate system that geometries get. */
function selectColumns(
	{ input }: Pick<Call, 'input'>,
	{ columns }: SqlTable,
	srid: number | undefined,
): Column[] {
	const other = columns.find(
		(column) => srid !== undefined && ![undefined, srid].includes(column.srid),
	);
	if (other)
		throw input.problem(
			sridOption,
			`must be ${other.srid}, as ${other.name} declares, not ${srid}`,
		);
	return columns.map((column) => (isGeometry(column) ? { srid, ...column } : column));
}

/**
 * The values of an item's row, in the order of the columns.
 *
 * @throws Failure that names the column and what is wrong with its value
 */
function readRow(call: Call, table: SqlTable, columns: Column[]): Cells {
	const { context, input, itemIndex } = call;
	const options = input.within(optionsField);
	const item = context.getInputData()[itemIndex].json;
	const isAutomatic =
		context.getNodeParameter(`${rowField.name}.mappingMode`, itemIndex, '') === 'autoMapInputData';
	const values = isAutomatic
		? item
		: context.getNodeParameter(`${rowField.name}.value`, itemIndex, {});
	if (!isPlainObject(values))
		throw input.problem(rowField, `must have values, not ${show(values)}`);
	const point = readPoint(call, item);
	const known = new Set([...columns.map(({ name }) => name), ...(point?.fields ?? [])]);
	const unknown = Object.keys(values).filter((name) => !known.has(name));
	const hasOtherCase = (name: string) =>
		columns.some((column) => column.name.toLowerCase() === name.toLowerCase());
	const wrong = options.flag(ignoreOption) ? unknown.find(hasOtherCase) : unknown[0];
	if (wrong !== undefined) {
		throw input.problem(
			rowField,
			`has "${wrong}", which is not a column of this table`,
			`${listColumns(columns)} Rename the field, or map each column${hasOtherCase(wrong) ? '' : ", or turn on 'Ignore Unknown Fields'"}.`,
		);
	}
	if (!point?.ewkt && !columns.some(({ name }) => Object.hasOwn(values, name))) {
		throw input.problem(rowField, 'has no column of this table', listColumns(columns));
	}
	const cells = new CellReader(call, rowField, sridOption);
	const pointColumn = point && requireGeometryColumn(call, rowField, table).name;
	return columns.map((column) => {
		const value = column.name === pointColumn ? point?.ewkt : getValue(values, column.name);
		return cells.read(column, value);
	});
}

const getValue = (values: IDataObject, name: string): unknown =>
	Object.hasOwn(values, name) ? values[name] : undefined;

/** The point in two fields of the item, and their names; without coordinates it is none. */
function readPoint({ context, input }: Call, item: IDataObject) {
	const options = input.within(optionsField);
	const fields = [latitudeOption, longitudeOption];
	const names = fields.map((field) => options.optionalText(field));
	const hasFields = `This item has the fields ${Object.keys(item).join(', ')}.`;
	if (names.every((name) => name === undefined)) return undefined;
	const [latitude, longitude] = names.map((name, at) => {
		if (name === undefined) throw input.problem(fields[at], 'must not be empty');
		const value = getValue(item, name);
		const isThere = ({ json }: INodeExecutionData) => Object.hasOwn(json, name);
		if (value === undefined && !context.getInputData().some(isThere)) {
			throw input.problem(fields[at], `is ${show(name)}, which no item has`, hasFields);
		}
		if (isNothing(value) || value === '') return undefined;
		const most = at === 0 ? 90 : 180;
		const what = requireNumberFrom(-most, most)(toText(value) ?? describeKind(value));
		if (what === undefined) return Number(toText(value));
		throw input.problem(fields[at], `is ${show(name)}, whose value ${what}`);
	});
	if ((latitude === undefined) !== (longitude === undefined)) {
		const at = latitude === undefined ? 0 : 1;
		throw input.problem(
			fields[at],
			`is ${show(names[at])}, which has no value in this item`,
			hasFields,
		);
	}
	const point = `SRID=${DEGREES};POINT (${longitude} ${latitude})`;
	return { fields: names, ewkt: latitude === undefined ? null : point };
}

/** The most rows of one use; more of them are loaded from a file in less time. */
const MOST_ITEMS = 10_000;

/** The most rows and bytes of one statement, of which a session parses some hundred in a second. */
const BATCH = { rows: 500, bytes: 500_000 };

export const insertRows: Operation = {
	option: {
		name: 'Insert Rows',
		value: 'insertRows',
		action: 'Insert rows into table',
		description: 'Insert each input item as a row of a table, without SQL',
	},
	fields: [
		...tableAddress.map(({ field }) => field),
		rowField,
		sessionRuntimeField,
		sessionRegionField,
		optionsField,
	],
	requestFields: { runtimeId: sessionRuntimeField },
	kind: 'write',
	async execute(call) {
		const { context, input, itemIndex, memory } = call;
		const count = context.getInputData().length;
		if (count > MOST_ITEMS) {
			throw input.problem(
				rowField,
				`can have at most 10,000 rows, not ${count}`,
				'No row was inserted. Upload them as a file (File: Upload), and load it with one statement (SQL: Execute Query): INSERT INTO … SELECT … FROM parquet.`s3://…`.',
			);
		}
		const address = readAddress(input, tableAddress);
		const settings = readSettings(input);
		const srid = input.within(optionsField).optionalInteger(sridOption);
		requireSockets();
		const table = await fetchTarget(call, address, srid);
		const columns = selectColumns(call, table, srid);
		const cells = readRow(call, table, columns);
		const target = { table: table.name, columns, settings };
		const work = memory.item<IDataObject>('insert', [table.name, cells]);
		const works = memory.run<Works>('inserts').get(() => new Map());
		works.set(itemIndex, work);
		const insertion = memory
			.attempt<Insertion>('insertion', target)
			.get(() => new Insertion(target, works));
		insertion.rows.push({ call, text: toRowText(cells), work });
		const submit = async () => {
			await table.create?.();
			return await insertion.outcomeOf(call);
		};
		return { submit };
	},
};

interface Row {
	call: Call;
	/** As `toRowText` returns it. */
	text: string;
	/** What became of it, for Retry on Fail. */
	work: Memo<IDataObject>;
}

/** By item, in all attempts of Retry on Fail: an item that succeeded is not executed again. */
type Works = Map<number, Memo<IDataObject>>;

interface Target {
	table: string;
	columns: Column[];
	settings: ReturnType<typeof readSettings>;
}

/** Rows of one table, which are inserted when the first of them is asked for. */
class Insertion {
	readonly rows: Row[] = [];

	private readonly outcomes = new Map<number, Result<IDataObject>>();

	private sending?: Promise<void>;

	private statements = 0;

	private inserted = 0;

	private where?: Context;

	constructor(
		private readonly target: Target,
		private readonly works: Works,
	) {}

	/**
	 * What became of an item's row, once all are sent.
	 *
	 * @throws Failure that says which items are in, which are not, and which may be
	 */
	async outcomeOf({ context, itemIndex }: Call): Promise<INodeExecutionData[]> {
		this.sending ??= this.send();
		await this.sending;
		const outcome = this.outcomes.get(itemIndex);
		if (outcome?.ok) {
			const { table } = this.target;
			const { inserted: rows, statements } = this;
			return [toItem({ ...outcome.value, table, rows, statements })];
		}
		if (context.getInputData().length === 1) throw outcome?.error;
		this.where ??= describeRows(context, this.works);
		throw addContext(outcome?.error, this.where);
	}

	/** Sends all batches, up to one that fails the node. */
	private async send(): Promise<void> {
		for (const batch of this.batches()) {
			const [{ call, work }] = batch;
			const sent = work.isOpen ? this.insert(batch) : undefined;
			for (const row of batch) {
				const doing = async () => (await sent) as IDataObject;
				const done = await settle(row.work.once(doing, isPossiblyDone(false)));
				this.outcomes.set(row.call.itemIndex, done);
				if (done.ok) this.inserted++;
			}
			const { ok } = this.outcomes.get(call.itemIndex) as Result<IDataObject>;
			if (!ok && !call.context.continueOnFail()) return;
		}
	}

	private async insert(batch: Row[]): Promise<IDataObject> {
		const [{ call }] = batch;
		const { table, columns, settings } = this.target;
		const rows = batch.map(({ text }) => text);
		const text = buildInsert(table, columns, rows);
		const statement = { text, onlyReads: false, mayReturnRows: false };
		if (this.statements++ === 0) showStatement(call, `${toInsertHead(table, columns)} …`);
		const output = { output: 'items', geometry: 'wkt', file: undefined } as const;
		const sent = run(call, addStatement({ ...settings, ...output }, statement));
		const [{ json }] = await explainReading(sent, ({ facts }) => ({
			after: describeRefusedItems(batch, String(facts.cause ?? '')),
		}));
		return json;
	}

	/** In the order of the items; one that an earlier attempt settled is a batch of its own. */
	private *batches(): Generator<Row[]> {
		let batch: Row[] = [];
		let bytes = 0;
		for (const row of this.rows) {
			const length = Buffer.byteLength(row.text);
			const isFull = batch.length >= BATCH.rows || bytes + length > BATCH.bytes;
			if (batch.length > 0 && (isFull || !row.work.isOpen || !batch[0].work.isOpen)) {
				yield batch;
				[batch, bytes] = [[], 0];
			}
			batch.push(row);
			bytes += length;
		}
		if (batch.length > 0) yield batch;
	}
}

/**
 * The items with a value that the engine names when it refuses a statement: in quotes, or as Sedona does,
 * in brackets before an SRID. What is inside of a nested value is JSON in hexadecimal digits.
 */
function describeRefusedItems(batch: Row[], cause: string): string | undefined {
	const values = [...cause.matchAll(/'([^']+)'|"([^"]+)"|\[([^[\]]+?)(?:, \d+)?\]/g)].map(
		([, ...groups]) => groups.find(Boolean) ?? '',
	);
	const forms = values.flatMap((value) => [
		toTextLiteral(value) ?? value,
		Buffer.from(JSON.stringify(value)).toString('hex').toUpperCase(),
	]);
	const found = batch.filter(({ text }) => forms.some((form) => text.includes(form)));
	const items = formatRanges(found.map(({ call }) => call.itemIndex));
	return items && `Items ${items} have a value that the engine names.`;
}

/** For an error: the numbers of the items, as n8n counts them. */
function describeRows(context: Call['context'], works: Works): Context {
	const placeOf = (at: number) => {
		const work = works.get(at);
		if (work === undefined || work.isOpen) return 'notInserted';
		return work.value === undefined ? 'uncertain' : 'inserted';
	};
	const all = context.getInputData().map((_, at) => at);
	const itemsIn = (place: string) => formatRanges(all.filter((at) => placeOf(at) === place));
	const known = {
		inserted: itemsIn('inserted'),
		uncertain: itemsIn('uncertain'),
		notInserted: itemsIn('notInserted'),
	};
	return {
		after: joinLines(
			known.inserted && `Items ${known.inserted} were inserted.`,
			known.uncertain && `Items ${known.uncertain} may be in the table.`,
			known.notInserted && `Items ${known.notInserted} were not inserted.`,
		),
		facts: known,
	};
}

/** `0 to 499, 501` */
function formatRanges(numbers: number[]): string {
	const ends: Array<[number, number]> = [];
	for (const number of numbers) {
		const last = ends.at(-1);
		if (last && last[1] === number - 1) last[1] = number;
		else ends.push([number, number]);
	}
	return ends.map(([from, to]) => (from === to ? String(from) : `${from} to ${to}`)).join(', ');
}
