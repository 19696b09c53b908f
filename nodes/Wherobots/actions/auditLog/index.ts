import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { defineTimeField } from '../../form/declarations';
import { actionNamesField, binaryFieldOption, readLimit, requireOrder } from '../../form/fields';
import type { Input } from '../../form/input';
import { fetchExport } from '../../useCases/auditLog/auditExport';
import {
	writeFile,
	type FileOptions,
	parseSelectedRows,
	type RowSelection,
	toRecord,
} from '../../useCases/auditLog/auditFiles';
import {
	auditEvents,
	createActionFilter,
	computeOldestKept,
	RETENTION_DAYS,
} from '../../service/records/auditEvent';
import { divide, MICROS_PER_MS, type Window } from '../../service/time';
import { CancelledError, clock } from '../../transport/clock';
import { explainReading, Failure, hasStatus, settle } from '../../transport/failure';
import { fetchList } from '../../transport/records';
import { storeDownload } from '../operations/itemFiles';
import {
	addHint,
	addNoResultsHint,
	type Call,
	defineGetMany,
	type Operation,
	type Output,
	type Resource,
} from '../operations/operation';
import * as form from './exportForm';

const exportOperation: Operation = {
	name: 'Export',
	value: 'export',
	action: 'Export audit log to archive',
	description:
		'Export the audit events of a time range as files or items, for example to archive them',
	hint: "For an archive: Schedule Trigger once a day, Time Range 'Previous Day', then a storage node for the file. Events are deleted after 90 days.",
	fields: form.exportFields,
	requestFields: { startTime: form.timeRangeField, endTime: form.timeRangeField },
	kind: 'read',
	async execute(call) {
		const { input } = call;
		const range = form.readRange(call);
		if (input.choice(form.outputField) === 'items') {
			const items = await exportItems(call, range);
			form.addIncompleteRangeHint(call, range);
			return items;
		}
		return await exportFiles(call, range);
	},
};

/**
 * Exports a range as one item per event, parsed as it arrives. With a limit, the transfer ends as soon
 * as the limit is reached; without one, items are returned only once the export proved complete.
 */
async function exportItems(call: Call, range: form.Range): Promise<INodeExecutionData[]> {
	const { client, context, input } = call;
	const limit = readLimit(input);
	const selection = readSelection(input);
	const query = form.toQuery(range, range);
	const read = await fetchExport(client, query, async (table) => {
		const { columns } = table;
		const found: INodeExecutionData[] = [];
		for await (const rows of parseSelectedRows(table, selection).output) {
			for (const row of rows) {
				if (found.length >= limit) return { items: found, more: true };
				found.push({ json: toRecord(columns, row) });
			}
		}
		return { items: found, more: false };
	});
	const { items, more } = client.withoutSecrets(read);
	const what = nameEvents(range);
	if (items.length === 0) {
		addNoEventsHint(call, range, selection);
		return items;
	}
	const message = more
		? `Only the first ${limit} ${what} were returned. Turn on 'Return All' to get all of them.`
		: `${items.length} ${what}`;
	addHint(context, { message, type: 'info' });
	return items;
}

function nameEvents(range: form.Range): string {
	const { start, end } = form.describeRange(range, range);
	return `events from ${start} to ${end}`;
}

function addNoEventsHint(call: Call, range: form.Range, { actionNames }: RowSelection): void {
	const now = call.client.serviceNow();
	// The hint about the range says so.
	if (range.start > now * MICROS_PER_MS || range.end < computeOldestKept(now)) return;
	const asked = [
		[form.searchTermField, range.searchTerm],
		[actionNamesField, actionNames],
	] as const;
	const where = 'in the log. Choose a longer range';
	addNoResultsHint(call, nameEvents(range), asked, where);
}

function readSelection(input: Input): RowSelection {
	const options = input.within(form.optionsField);
	return {
		removeDuplicates: options.flag(form.removeDuplicatesField),
		actionNames: options.list(actionNamesField),
	};
}

/** More than the hours in 90 days: a range that needs more files has a mistyped year. */
const MAX_FILES = 10_000;

/** After this many consecutive failures the other files are not tried: they would fail the same way. */
const MAX_FAILURES_IN_A_ROW = 2;

/**
 * Exports the files one after the other. Files that an earlier attempt of Retry On Fail stored are not
 * exported again. When the node continues on failure, a failed window becomes an error item that names
 * it, and the other files are output.
 */
async function exportFiles(call: Call, range: form.Range): Promise<Output> {
	const { client, context, input, memory } = call;
	const members = input.within(form.optionsField);
	const options: FileOptions = {
		format: members.choice(form.formatField),
		compress: members.flag(form.compressField),
		...readSelection(input),
	};
	const binaryName = members.text(binaryFieldOption);
	const files = nameFiles(input, range, options);
	const stored = members.list(form.skipExistingField);
	const output: Output = [];
	let failures = 0;
	for (const { window, fileName } of files) {
		// Even in another folder.
		if (stored.some((path) => `/${path}`.endsWith(`/${fileName}`))) continue;
		const { start, end } = form.describeRange(range, window);
		const key = [fileName, start, end, range.searchTerm, options, binaryName];
		const work = memory.item<INodeExecutionData>(key);
		const exportOnce = async () => {
			if (!work.value && failures >= MAX_FAILURES_IN_A_ROW) {
				throw new Failure({
					message: 'The file was not exported',
					description:
						'It was not attempted, because several exports in a row had failed. Correct their error first.',
					isInput: true,
				});
			}
			return await work.once(async () =>
				exportFile(call, range, window, fileName, options, binaryName),
			);
		};
		const outcome = await settle(exportOnce());
		if (outcome.ok) {
			output.push(outcome.value);
			failures = 0;
			continue;
		}
		if (outcome.error instanceof CancelledError) throw outcome.error;
		const failure = addAdvice(client.clean(outcome.error)).withContext({
			facts: { fileName, start, end },
		});
		if (!context.continueOnFail()) {
			throw failure.withContext({ after: `The export of ${fileName} failed.` });
		}
		output.push(failure);
		failures++;
	}
	const isEmpty =
		output.length === files.length &&
		output.every((each) => !(each instanceof Failure) && each.json.rows === 0);
	// A quiet day is no mistake.
	if (isEmpty && (range.searchTerm || options.actionNames?.length)) {
		addNoEventsHint(call, range, options);
	}
	form.addIncompleteRangeHint(call, range);
	return output;
}

/** Streams the export of one window into n8n's binary store. The file is complete or not stored. */
async function exportFile(
	{ client, context }: Call,
	range: form.Range,
	window: Window,
	fileName: string,
	options: FileOptions,
	binaryName: string,
): Promise<INodeExecutionData> {
	const query = form.toQuery(range, window);
	const { binary, tally, askedAt } = await fetchExport(client, query, async (table, reader) => {
		const askedAt = form.getServiceTime(client);
		const { output, tally } = writeFile(table, options);
		const stored = await storeDownload(context, reader, output, fileName, getMimeType(options));
		return { binary: stored.binary, tally: { ...tally, ...stored.tally }, askedAt };
	});
	const reason = form.findIncompleteReason(window, askedAt);
	return {
		json: {
			fileName,
			...form.describeRange(range, window),
			rows: tally.rows,
			bytes: tally.bytes,
			sha256: tally.sha256,
			...(options.removeDuplicates ? { duplicatesRemoved: tally.duplicates } : {}),
			complete: reason === undefined,
			...(reason ? { incompleteReason: reason } : {}),
		},
		binary: { [binaryName]: binary },
	};
}

function getMimeType({ format, compress }: FileOptions): string {
	if (compress) return 'application/gzip';
	return format === 'csv' ? 'text/csv' : 'application/x-ndjson';
}

/** The extension of the files, with its periods. */
function getExtension({ format, compress }: FileOptions): string {
	return `${format === 'csv' ? '.csv' : '.jsonl'}${compress ? '.gz' : ''}`;
}

/** How n8n's database store words a file above its limit, and Node.js a string that is too long. */
const TOO_LARGE = /exceeds the max size limit|string longer than|invalid string length/i;

function addAdvice(failure: Failure): Failure {
	// An error of n8n's own store has only its message.
	if (!failure.parts.isHtml || failure.description) return failure;
	if (!TOO_LARGE.test(failure.message)) {
		return failure.withContext({
			before: "n8n did not store the file. Check n8n's storage for binary data.",
		});
	}
	return failure.withContext({
		before: `Set '${form.splitField.displayName}' to smaller parts, such as days or hours, to keep each file below the limit of n8n's storage.`,
	});
}

/**
 * The windows of a range and the names of their files.
 *
 * @throws Failure when two files, of the range or of consecutive executions, share a name
 */
function nameFiles(
	input: Input,
	range: form.Range,
	options: FileOptions,
): Array<{ window: Window; fileName: string }> {
	const split = input.choice(form.splitField);
	const pattern = input.within(form.optionsField).text(form.fileNameField);
	const nameOf = (window: Window) =>
		form.formatFileName(pattern, window, range.calendar, getExtension(options));

	const files: Array<{ window: Window; fileName: string }> = [];
	const names = new Set<string>();
	if (range.previous && form.hasPlaceholder(pattern)) names.add(nameOf(range.previous));
	for (const window of divide(range, split, range.calendar)) {
		const fileName = nameOf(window);
		if (names.has(fileName)) {
			throw input.problem(
				form.fileNameField,
				`must be different for each file: "${fileName}" occurs twice`,
				'Add {start}, or as many of {year}, {month}, {day} and {hour} as the files need.',
			);
		}
		names.add(fileName);
		files.push({ window, fileName });
		if (files.length > MAX_FILES) {
			throw input.problem(
				form.splitField,
				`would create more than ${MAX_FILES} files: choose longer parts, or check the years of the range`,
			);
		}
	}
	return files;
}

const toFilter = defineTimeField({
	displayName: 'To',
	name: 'to',
	description: 'Only include events at or before this time',
});

const fromFilter = defineTimeField({
	displayName: 'From',
	name: 'from',
	description: `Only include events at or after this time. The service keeps events for ${RETENTION_DAYS} days.`,
});

const getAll = defineGetMany({
	action: 'Get many audit events',
	description:
		'List audit events, filtered by time or text. To get whole days or more, use Export.',
	endpoint: 'queryAuditLog',
	records: 'audit events',
	filters: {
		actionNames: actionNamesField,
		endTime: toFilter,
		searchTerm: form.searchTermField,
		startTime: fromFilter,
	},
	check({ context }, filters) {
		requireOrder(filters, fromFilter, toFilter);
		const startTime = filters.optionalTime(fromFilter);
		if (startTime !== undefined && startTime < computeOldestKept(clock.now())) {
			addHint(context, {
				message: `'${fromFilter.displayName}' is more than ${RETENTION_DAYS} days ago. Wherobots Cloud no longer has events that old.`,
			});
		}
	},
	async read({ client }, { query: { actionNames, ...query } = {}, ...options }) {
		const isAction = createActionFilter(actionNames as string[]);
		const only = isAction && ((raw: IDataObject) => isAction(auditEvents.of(raw).action));
		const before =
			'This deployment may not offer the list of audit events. Use Audit Log: Export instead.';
		return await explainReading(
			fetchList(client, 'queryAuditLog', { ...options, query, only }),
			(failure) => (hasStatus(failure, 404) ? { before } : {}),
		);
	},
	simplify: (raw) => auditEvents.of(raw).simplify(),
});

export const auditLog: Resource = {
	name: 'Audit Log',
	value: 'auditLog',
	description: 'Who did what in the organization during the last 90 days',
	operations: [exportOperation, getAll],
	defaultOperation: exportOperation,
};
