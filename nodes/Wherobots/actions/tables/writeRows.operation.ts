/**
 * Insert Rows, and Insert or Update Rows: each input item is a row of a table, or updates the row with its
 * key. All are checked before anything is sent.
 */
import { defineChoiceField } from '../../form/declarations';
import { show } from '../../form/values';
import { type Column, toKeyText, describeExactType } from '../../service/sql/columns';
import * as service from '../../service/tables/writeRows';
import type { Failure } from '../../transport/failure';
import { deduplicationKeyOption, readDeduplicationKey } from '../operations/deduplicationKey';
import type { Call } from '../operations/operation';
import { defineSettings } from '../sql/fields';
import { toItemFailure } from './cells';
import {
	defineRowField,
	type ItemRow,
	readOnce,
	readRow,
	type RowForm,
	readRowForm,
	rowOptions,
	rowOptionsField,
	sendRowsAsOption,
} from './inputRows';
import { addRow, findEarlier } from './rowBatch';
import { defineTableStatement, requireColumn } from './sqlTable';

const insertedField = defineRowField(
	'The values of each row. A geometry is WKT or GeoJSON; bytes are Base64; lists and structures are JSON. A column without a value is NULL.',
	{ mode: 'add', multiKeyMatch: false },
);

const insertOptionsField = defineSettings(...rowOptions, {
	...deduplicationKeyOption,
	placeholder: 'e.g. import-{{ $today.toISODate() }}',
	description:
		'Any text that identifies the rows, the same for all input items. They are skipped if this node has already sent rows with the same deduplication key, in any execution. In a loop, add {{ $runIndex }} to it. n8n remembers the last 10,000 keys for each node.',
});

export const insertRows = defineTableStatement({
	name: 'Insert Rows',
	value: 'insertRows',
	action: 'Insert rows into table',
	description: 'Insert each input item as a row of a table, without SQL',
	hint: "If the workflow may run twice, use Insert or Update Rows, or add the option 'Deduplication Key': otherwise, the rows are inserted twice.",
	fields: [insertedField],
	options: insertOptionsField,
	async execute(call) {
		const earlier = findEarlier(call);
		if (earlier) return earlier;
		const form = await readOnce(call, async () => await readInserted(call));
		const { table, columns, settings, isAtomic, deduplicationKey, key } = form;
		const { cells } = readRow(call, form);
		return addRow(call, key, cells, () => ({
			...{ table, settings, isAtomic, isRepeatable: false, deduplicationKey },
			none: 'No row was inserted.',
			build: (source) => service.buildInsert(table.name, columns, source),
		}));
	},
});

async function readInserted(call: Call) {
	const form = await readRowForm(call, insertedField);
	const deduplicationKey = readDeduplicationKey(call.input.within(insertOptionsField));
	const key = JSON.stringify([form.key, deduplicationKey]);
	if (deduplicationKey !== undefined) requireOneStatement(call, form.isAtomic, key);
	return { ...form, deduplicationKey, key };
}

/** @throws Failure for an item with a deduplication key whose row is not written with all others */
function requireOneStatement(call: Call, isAtomic: boolean, key: string): void {
	const { input, itemIndex, memory } = call;
	const first = memory.attempt<{ item: number; key: string }>('keyed statement');
	const { item, key: expected } = first.get(() => ({ item: itemIndex, key }));
	if (isAtomic && key === expected) return;
	if (!isAtomic) {
		const what = `needs '${sendRowsAsOption.displayName}' set to Automatic`;
		throw input.problem(deduplicationKeyOption, what);
	}
	throw input.problem(
		deduplicationKeyOption,
		`must be the same for all items, as must the table and the settings: they differ between items ${item} and ${itemIndex}`,
		'Where each row has a key of its own, use Insert or Update Rows.',
	);
}

const upsertedField = defineRowField(
	'The values of each row: geometries as WKT or GeoJSON, bytes as Base64, lists and structures as JSON. An existing row keeps its value where the item has none.',
	{ mode: 'upsert', multiKeyMatch: true },
);

const ifMatchedField = defineChoiceField<'leave' | 'update'>({
	displayName: 'If a Row Matches',
	name: 'ifMatched',
	options: { leave: 'Leave It', update: 'Update It' },
	default: 'update',
	description: 'What to do with a table row whose key matches an item',
});

const ifMissingField = defineChoiceField<service.IfMissing>({
	displayName: 'If No Row Matches',
	name: 'ifMissing',
	options: {
		fail: ['Fail the Node', 'Change no row at all, for any item'],
		insert: 'Insert',
		leave: 'Skip the Item',
	},
	default: 'insert',
	description: 'What to do with an item whose key is not in the table',
});

export const upsertRows = defineTableStatement({
	name: 'Insert or Update Rows',
	value: 'upsertRows',
	action: 'Insert or update rows in table',
	description:
		'Update the row that has the key of an input item, or insert the item as a row (upsert), without SQL',
	hint: "Choose 'Columns to match on'. Repeating it changes nothing more, so use it where a workflow may run twice.",
	fields: [upsertedField, ifMatchedField, ifMissingField],
	options: rowOptionsField,
	async execute(call) {
		const earlier = findEarlier(call);
		if (earlier) return earlier;
		const { itemIndex, memory } = call;
		const form = await readOnce(call, async () => await readForm(call));
		const { table, columns, settings, isAtomic, choices, keys, key } = form;
		const row = readRow(call, form, choices.ifMissing !== 'insert');
		const rows = memory
			.attempt<KeyedRows>('keyed rows', key)
			.get(() => new KeyedRows(columns, keys));
		rows.add(call, row, choices);
		const given = row.isGiven.map((isGiven) => (isGiven ? '1' : '0')).join('');
		return addRow(call, key, [...row.cells, String(itemIndex), given], () => ({
			...{ table, settings, isAtomic },
			// Without rows to update, the engine only appends: it does not notice that another statement, which
			// may be this one in its first attempt, is inserting the same keys.
			get isRepeatable() {
				return rows.toMerge(choices).updated.length > 0;
			},
			none: 'No row was changed.',
			build: (source) => service.buildMerge(table.name, columns, source, rows.toMerge(choices)),
			explain: (failure) => rows.explain(failure),
		}));
	},
});

async function readForm(call: Call) {
	const choices = readChoices(call);
	const form = await readRowForm(call, upsertedField);
	const keys = readKeys(call, form);
	return { ...form, choices, keys, key: JSON.stringify([form.key, choices, keys]) };
}

/** @throws Failure when no row would be written, whatever the table has */
function readChoices({ input }: Call) {
	const ifMatched = input.choice(ifMatchedField);
	const ifMissing = input.choice(ifMissingField);
	if (ifMatched === 'update' || ifMissing === 'insert') return { ifMatched, ifMissing };
	throw input.problem(
		ifMissingField,
		`must be 'Insert' when '${ifMatchedField.displayName}' is 'Leave It': otherwise, the node has nothing to do`,
	);
}

type Choices = ReturnType<typeof readChoices>;

/** Where the columns to match on are among all. */
function readKeys(call: Call, { columns, table }: RowForm): number[] {
	const { context, input, itemIndex } = call;
	const given = context.getNodeParameter(`${upsertedField.name}.matchingColumns`, itemIndex, []);
	const names = Array.isArray(given) ? given.map(String) : [];
	if (names.length === 0) {
		throw input.problem(
			upsertedField,
			'needs columns to match on',
			"Choose them in 'Columns to match on', such as the ID of the rows.",
		);
	}
	return names.map((name) => {
		const column = requireColumn(call, upsertedField, table, name);
		if (service.isKey(column)) return columns.findIndex((each) => each.name === name);
		throw input.problem(
			upsertedField,
			`cannot match on ${name}, whose type is ${describeExactType(column)}`,
			'Floating-point numbers, geometries, lists and structures cannot be keys: choose other columns.',
		);
	});
}

/** What the rows of a statement have in common. */
class KeyedRows {
	/** The items by their keys, as text. */
	private readonly items = new Map<string, number>();

	/** How many rows have a value for each column. */
	private readonly counts: number[];

	constructor(
		private readonly columns: Column[],
		private readonly keys: number[],
	) {
		this.counts = columns.map(() => 0);
	}

	/** @throws Failure for a row without a key of its own, and for one that would change nothing */
	add({ input, itemIndex }: Call, { cells, isGiven }: ItemRow, { ifMissing }: Choices): void {
		const { columns, counts, items, keys } = this;
		const without = keys.find((at) => cells[at] === null);
		if (without !== undefined) {
			throw toItemFailure(
				`has no value for ${columns[without].name}, which is a column to match on`,
			);
		}
		if (ifMissing !== 'insert' && !isGiven.some((each, at) => each && !keys.includes(at))) {
			throw toItemFailure('has no value to update besides the columns to match on');
		}
		const key = this.toText(cells);
		const other = items.get(key);
		if (other !== undefined) {
			throw input.problem(
				upsertedField,
				`has the same key in items ${other} and ${itemIndex}: ${this.describe(key)}`,
				"Only one of them can be written to that row. n8n's Remove Duplicates node can keep one item for each key.",
			);
		}
		items.set(key, itemIndex);
		for (const [at, each] of isGiven.entries()) if (each) counts[at]++;
	}

	/** What is to be done with all of them. */
	toMerge({ ifMatched, ifMissing }: Choices): service.Merge {
		const { counts, items, keys } = this;
		const updated = counts
			.map((count, at) => ({ at, count, isPartial: count < items.size }))
			.filter(({ at, count }) => ifMatched === 'update' && count > 0 && !keys.includes(at));
		return { keys, updated, ifMissing };
	}

	/** Names the key of an item that no row has. */
	explain(failure: Failure): Failure {
		const cause = String(failure.facts.cause ?? '');
		const start = cause.indexOf(service.MISSING_KEY);
		if (start < 0) return failure;
		const number = parseInt(cause.slice(start + service.MISSING_KEY.length));
		const [key = '[]'] = [...this.items].find(([, item]) => item === number) ?? [];
		return failure.with({
			message: `Item ${number} matches no row of the table: ${this.describe(key)}`,
		});
	}

	private toText(cells: service.Cells): string {
		return JSON.stringify(this.keys.map((at) => toKeyText(this.columns[at], cells[at] ?? '')));
	}

	/** `id = "7", day = "2026-01-31"` */
	private describe(key: string): string {
		const texts = JSON.parse(key) as string[];
		return texts
			.map((text, index) => `${this.columns[this.keys[index]].name} = ${show(text)}`)
			.join(', ');
	}
}
