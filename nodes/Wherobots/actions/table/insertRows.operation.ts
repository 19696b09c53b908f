import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { readAddress, tableAddress } from '../../parameters/address';
import { item } from '../../parameters/items';
import type { Column } from '../../service/sql/columns';
import { insertHead, insertStatement, rowText } from '../../service/sql/tableWriter';
import { settle, withContext, type Context, type Result } from '../../transport/failure';
import { lines } from '../../transport/text';
import { ExecutionStates } from '../execution/itemState';
import { workOf, type Work } from '../execution/once';
import type { Call, Operation } from '../operations/operation';
import { mayBeDone, needSockets, run } from '../sql/executeQuery.operation';
import { sessionRegionField, sessionRuntimeField } from '../sql/fields';
import { readSettings, withStatement } from '../sql/query';
import { columnsFor, optionsField, readRow, rowField, sridOption } from './rowInput';
import { readSqlTable, showStatement } from './sqlTable';

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
		const { context, input, itemIndex } = call;
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
		needSockets();
		const table = await readSqlTable(call, address);
		const columns = columnsFor(call, table, srid);
		const cells = readRow(call, table, columns);
		const insertion = insertionOf(call, { table: table.name, columns, settings });
		const work = workOf<IDataObject>(call, 'insert', [table.name, cells]);
		works.ofRun(context, 0).set(itemIndex, work);
		insertion.rows.push({ call, text: rowText(cells), work });
		return { submit: async () => await insertion.outcomeOf(call) };
	},
};

interface Row {
	call: Call;
	/** As `rowText` returns it. */
	text: string;
	/** What became of it, for Retry on Fail. */
	work: Work<IDataObject>;
}

interface Target {
	table: string;
	columns: Column[];
	settings: ReturnType<typeof readSettings>;
}

/** By execution of a node, and by what rows have in common that one statement can insert. */
const insertions = new WeakMap<Call['context'], Map<string, Insertion>>();

function insertionOf({ context }: Call, target: Target): Insertion {
	const all = insertions.get(context) ?? new Map<string, Insertion>();
	insertions.set(context, all);
	const key = JSON.stringify(target);
	const insertion = all.get(key) ?? new Insertion(target);
	all.set(key, insertion);
	return insertion;
}

/** By item, in all attempts of Retry on Fail: an item that succeeded is not executed again. */
const works = new ExecutionStates(() => new Map<number, Work<IDataObject>>());

/** Rows of one table, which are inserted when the first of them is asked for. */
class Insertion {
	readonly rows: Row[] = [];

	private readonly outcomes = new Map<number, Result<IDataObject>>();

	private sending?: Promise<void>;

	private statements = 0;

	private inserted = 0;

	private where?: Context;

	constructor(private readonly target: Target) {}

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
			return [item({ ...outcome.value, table, rows, statements })];
		}
		if (context.getInputData().length === 1) throw outcome?.error;
		this.where ??= whereRowsAre(context);
		throw withContext(outcome?.error, this.where);
	}

	/** Sends all batches, up to one that fails the node. */
	private async send(): Promise<void> {
		for (const batch of this.batches()) {
			const [{ call, work }] = batch;
			const sent = work.isOpen ? this.insert(batch) : undefined;
			for (const row of batch) {
				const doing = async () => (await sent) as IDataObject;
				const done = await settle(row.work.once(doing, mayBeDone(false)));
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
		const text = insertStatement(table, columns, rows);
		const statement = { text, onlyReads: false, mayReturnRows: false };
		if (this.statements++ === 0) showStatement(call, `${insertHead(table, columns)} …`);
		const output = { output: 'items', geometry: 'wkt', file: undefined } as const;
		const [{ json }] = await run(call, withStatement({ ...settings, ...output }, statement));
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

/** For an error: the numbers of the items, as n8n counts them. */
function whereRowsAre(context: Call['context']): Context {
	const ofItems = works.ofRun(context, 0);
	const placeOf = (at: number) => {
		const work = ofItems.get(at);
		if (work === undefined || work.isOpen) return 'notInserted';
		return work.result === undefined ? 'uncertain' : 'inserted';
	};
	const all = context.getInputData().map((_, at) => at);
	const itemsIn = (place: string) => ranges(all.filter((at) => placeOf(at) === place));
	const known = {
		inserted: itemsIn('inserted'),
		uncertain: itemsIn('uncertain'),
		notInserted: itemsIn('notInserted'),
	};
	return {
		after: lines(
			known.inserted && `In the table are the items ${known.inserted}.`,
			known.uncertain && `May be in the table: the items ${known.uncertain}.`,
			known.notInserted && `Not in the table are the items ${known.notInserted}.`,
		),
		facts: known,
	};
}

/** `0 to 499, 501` */
function ranges(numbers: number[]): string {
	const ends: Array<[number, number]> = [];
	for (const number of numbers) {
		const last = ends.at(-1);
		if (last && last[1] === number - 1) last[1] = number;
		else ends.push([number, number]);
	}
	return ends.map(([from, to]) => (from === to ? String(from) : `${from} to ${to}`)).join(', ');
}
