/** Rows of items that one statement writes: in the statement itself, or from a file that it reads. */
import { randomUUID } from 'crypto';
import type { IDataObject } from 'n8n-workflow';

import { toItem } from '../../form/output';
import type { Place } from '../../service/files';
import {
	type Cells,
	type RowSource,
	toRowLine,
	toRowText,
	toStoredRows,
	toValues,
} from '../../service/tables/writeRows';
import { explainReading, Failure, settle } from '../../transport/failure';
import { joinLines } from '../../transport/text';
import { runWithStagedFile } from '../../useCases/files/staging';
import { DENIED } from '../../useCases/sql/problems';
import { STATEMENT_LIMITS } from '../../useCases/sql/statement';
import { Memo } from '../execution/memory';
import { deduplicationKeyOption, isSkipped, sendOnceForKey } from '../operations/deduplicationKey';
import { addHint, type Call, type Outcome } from '../operations/operation';
import { executeWritten, isPossiblyDone } from '../sql/execution';
import type { readSettings } from '../sql/query';
import { sendRowsAsOption } from './inputRows';
import type { SqlTable } from './sqlTable';

/** How many characters of rows become bytes at once. */
const BLOCK_LENGTH = 65_536;

const ADVICE = `To send rows without a file, set '${sendRowsAsOption.displayName}' to Statements.`;

/** The member of an item that says what became of its row. */
const WRITTEN = 'wherobots';

/** How engines say that they cannot read a file. */
const UNREADABLE =
	/path_not_found|path does not exist|file ?not ?found|no file ?system|unsupported_datasource/i;

/** What is written to, and how. */
interface RowTarget {
	table: Pick<SqlTable, 'name' | 'create'>;
	settings: ReturnType<typeof readSettings>;
	/** Whether all rows are written or none. */
	isAtomic: boolean;
	/** Whether writing the same rows again changes nothing more. */
	isRepeatable: boolean;
	/** Under which another execution does not write them again. */
	deduplicationKey?: string;
	/** The statement over these rows. */
	build(source: RowSource): string;
	/** The sentence for a failure after which no row is written. */
	none: string;
	/** A failure of the statement in the words of its operation. */
	explain?(failure: Failure): Failure;
}

/** What Retry On Fail has to know of the rows that earlier attempts have sent. */
const getBatches = ({ memory }: Call) =>
	memory.attempt<RowBatch[]>('batches').get(() => memory.run<RowBatch[]>('batches').get(() => []));

/** What became of an item in an earlier attempt that has written its row, or may have. */
export function findEarlier(call: Call): Outcome | undefined {
	const { itemIndex } = call;
	const batch = getBatches(call).find((each) => each.isSettled && each.items.has(itemIndex));
	return batch?.again(call);
}

/** Adds the row of an item to those that are sent together. @returns what becomes of it */
export function addRow(call: Call, key: string, cells: Cells, target: () => RowTarget): Outcome {
	const memo = call.memory.attempt<RowBatch>('rows', key);
	const text = memo.value?.isForFile ? '' : toRowText(cells);
	if (memo.value?.isFullFor(text)) memo.value = undefined;
	const batch = memo.get(() => new RowBatch(call, target()));
	batch.add(call.itemIndex, cells, text);
	return batch.outcomeOf(call);
}

/** The rows are kept as lines of a file, and while they are few also as texts of a statement. */
class RowBatch {
	readonly items = new Set<number>();

	private sending?: Promise<IDataObject>;

	private work = new Memo<IDataObject>();

	private texts: string[] = [];

	private textBytes = 0;

	private width = 0;

	private blocks: Buffer[] = [];

	private lines = '';

	/** @param call of the first item */
	constructor(
		private readonly call: Call,
		private readonly target: RowTarget,
	) {
		getBatches(call).push(this);
	}

	/** Whether its rows are written, or may be. */
	get isSettled(): boolean {
		return !this.work.isOpen;
	}

	/** Whether its rows are too many for the statement itself. */
	get isForFile(): boolean {
		return this.target.isAtomic && this.textBytes > STATEMENT_LIMITS.maxRowBytes;
	}

	isFullFor(text: string): boolean {
		return (
			!this.target.isAtomic &&
			this.textBytes + Buffer.byteLength(text) > STATEMENT_LIMITS.maxRowBytes
		);
	}

	add(item: number, cells: Cells, text: string): void {
		this.items.add(item);
		this.width = cells.length;
		this.lines += toRowLine(cells);
		if (this.lines.length > BLOCK_LENGTH) this.closeBlock();
		this.texts.push(text);
		this.textBytes += Buffer.byteLength(text);
		if (this.isForFile) this.texts = [];
	}

	/** What becomes of the row of an item: the item itself, with what all rows have in common. */
	outcomeOf({ context, input, itemIndex }: Call): Outcome {
		const submit = async () => {
			const done = await (this.sending ??= this.send());
			// A model knows what it sent, and pays for each word.
			if (input.isToolUse) return [toItem(done)];
			return [toItem({ ...context.getInputData()[itemIndex].json, [WRITTEN]: done })];
		};
		return { submit };
	}

	/** What becomes of a row in another attempt, whose error says that it was not sent again. */
	again(call: Call): Outcome {
		this.sending = undefined;
		return this.outcomeOf(call);
	}

	private closeBlock(): void {
		this.blocks.push(Buffer.from(this.lines));
		this.lines = '';
	}

	private async send(): Promise<IDataObject> {
		this.closeBlock();
		const { call, items, target } = this;
		const { deduplicationKey, isRepeatable, table } = target;
		const count = call.context.getInputData().length;
		if (deduplicationKey !== undefined && items.size < count) {
			throw call.input.problem(
				deduplicationKeyOption,
				`stands for the rows of all items, but ${count - items.size} of ${count} cannot be sent`,
				'No row was inserted. Correct or remove the items whose errors say what is wrong.',
			);
		}
		// An agent that calls its tool again asks for the same rows.
		if (call.input.isToolUse)
			this.work = call.memory.item('rows', [table.name, this.blocks.join('')]);
		const mayBeDone = isPossiblyDone(isRepeatable);
		const writing = this.work.once(async () => {
			const write = async (begin: () => void) => this.write(begin);
			return { ...(await sendOnceForKey(call, deduplicationKey, write, mayBeDone)) };
		}, mayBeDone);
		const done = await settle(writing);
		const failure = !done.ok && done.error instanceof Failure && this.explain(done.error);
		// This is remembered as long as the execution lasts, its rows are not.
		[this.texts, this.blocks] = [[], []];
		if (done.ok && isSkipped(done.value)) return done.value;
		if (done.ok) return { ...done.value, table: table.name, rows: items.size };
		throw failure || done.error;
	}

	private async write(onSend: () => void): Promise<IDataObject> {
		const { call, target, texts, width } = this;
		const { table, settings, isRepeatable } = target;
		const execute = async (text: string, shown?: string) =>
			(await executeWritten(call, settings, { text, isRepeatable, shown, onSend })).done;
		if (table.create) await explainReading(table.create(), { facts: { state: 'notSent' } });
		if (!this.isForFile) {
			const shown = target.build(toValues(['…'], width));
			return await execute(target.build(toValues(texts, width)), shown);
		}
		const bytes = Buffer.concat(this.blocks);
		const staging = {
			name: `${randomUUID()}.jsonl`,
			region: settings.session.region,
			advice: ADVICE,
			onLeft: ({ storageId, path }: Place) =>
				addHint(call.context, {
					message: `The file in which the rows were sent could not be removed. Delete it (File: Delete): ${path} in the storage ${storageId}.`,
					type: 'warning',
				}),
		};
		return await runWithStagedFile(call.client, bytes, staging, async (address) => {
			const text = target.build(toStoredRows(address));
			return await explainReading(execute(text), ({ facts }) => {
				const cause = String(facts.cause);
				const isDenied = DENIED.test(cause);
				if (!isDenied && !UNREADABLE.test(cause)) return {};
				const could = isDenied && !cause.includes(staging.name) ? 'may be unable to' : 'could not';
				return {
					after: `The SQL session ${could} read the file with the rows, ${address}. ${ADVICE}`,
				};
			});
		});
	}

	private explain(failure: Failure): Failure {
		const { cause = '' } = failure.facts;
		const after = joinLines(this.describeRefused(String(cause)), this.describeRows(failure.facts));
		return (this.target.explain?.(failure) ?? failure).withContext({ after });
	}

	/** What is known of the rows. */
	private describeRows({ state, deduplicationKey }: Failure['facts']): string | false {
		const { items, target } = this;
		const isOpen = state === 'unknown';
		// Of an earlier execution, nothing is known.
		if (state === 'succeeded' || (!isOpen && deduplicationKey !== undefined)) return false;
		if (target.isAtomic) {
			const either = `Either all ${items.size} rows or none of them are in the table.`;
			return isOpen ? items.size > 1 && either : target.none;
		}
		const batches = getBatches(this.call).filter(({ work }) => work.value !== undefined);
		const done = listRanges(batches.flatMap((batch) => [...batch.items]));
		const before = done && `In the table: items ${done}. `;
		const open = isOpen ? 'May be in the table' : 'Not in the table';
		return `${before}${open}: items ${listRanges(items)}.`;
	}

	/**
	 * The items with a value that the engine names when it refuses a statement: in quotes, or as Sedona
	 * does, in brackets before an SRID. What is inside of a nested value is JSON in a text.
	 */
	private describeRefused(cause: string): string | undefined {
		const forms = [...cause.matchAll(/'([^']+)'|"([^"]+)"|\[([^[\]]+?)(?:, \d+)?\]/g)].flatMap(
			([, ...groups]) => {
				const json = JSON.stringify(groups.find(Boolean) ?? '');
				return [json, JSON.stringify(json).slice(1, -1)];
			},
		);
		const lines = this.blocks.flatMap((block) => block.toString().trimEnd().split('\n'));
		const items = [...this.items];
		const found = lines.flatMap((line, at) =>
			forms.some((form) => line.includes(form)) ? items[at] : [],
		);
		const which = found.length === 1 ? `Item ${found[0]} has` : `Items ${listRanges(found)} have`;
		return found.length > 0 ? `${which} a value named in this message.` : undefined;
	}
}

/** Numbers as text: `0 to 499, 501` */
function listRanges(numbers: Iterable<number>): string {
	const ranges: Array<[from: number, to: number]> = [];
	for (const number of [...numbers].sort((one, other) => one - other)) {
		const last = ranges.at(-1);
		if (last?.[1] === number - 1) last[1] = number;
		else ranges.push([number, number]);
	}
	return ranges.map(([from, to]) => (from === to ? from : `${from} to ${to}`)).join(', ');
}
