/** Tested by test/engine/trigger/auditEvent.test.ts and test/unit/trigger/sources.test.ts. */
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { defineChoiceField, defineCountField, defineTextField } from '../form/declarations';
import { actionNamesField, defineOptions } from '../form/fields';
import { toItem, toItems } from '../form/output';
import { auditEvents, createActionFilter } from '../service/records/auditEvent';
import { formatTime, type Micros } from '../service/time';
import type { Client } from '../transport/client';
import { hasStatus, settle } from '../transport/failure';
import { fetchPage } from '../transport/records';
import { fetchExport } from '../useCases/auditLog/auditExport';
import { parseSelectedRows, toRecord } from '../useCases/auditLog/auditFiles';
import { DAY, floorToSecond, type RecordState, SECOND } from './core/cursor';
import {
	type NewRecord,
	pollNewRecords,
	type RecordPage,
	type RecordSource,
} from './core/newRecords';
import { createTimeSource, type TriggerEvent } from './event';

const searchTermField = defineTextField({
	displayName: 'Search Term',
	name: 'searchTerm',
	placeholder: 'e.g. CREATE_JOB_RUN',
	description:
		'Only include events that contain this text in any field. Leave empty for all events.',
});

const outputField = defineChoiceField({
	displayName: 'Output',
	name: 'output',
	options: { perEvent: 'One Item per Event', perPoll: 'One Item per Poll' },
	default: 'perEvent',
	description: 'Whether to output one item per event, or one item with all new events',
});

const overlapField = defineCountField({
	displayName: 'Overlap (Seconds)',
	name: 'overlapSeconds',
	typeOptions: { minValue: 0, maxValue: 86_400 },
	default: 300,
	description: 'How late an event may appear in the audit log and still be found',
});

const settleField = defineCountField({
	displayName: 'Settle Delay (Seconds)',
	name: 'settleSeconds',
	typeOptions: { minValue: 0, maxValue: 3600 },
	default: 60,
	description:
		'How old an event must be before it starts the workflow, so that events arrive in order',
});

const optionsField = defineOptions(actionNamesField, overlapField, settleField);

export const auditEvent: TriggerEvent = {
	name: 'Audit Event Recorded',
	description: 'Starts the workflow for each new audit log event',
	record: 'audit event',
	fields: [searchTermField, outputField, optionsField],
	read(input) {
		const options = input.within(optionsField);
		const searchTerm = input.optionalText(searchTermField);
		const isAction = createActionFilter(options.list(actionNamesField));
		const output = input.choice(outputField);
		const overlap = options.integer(overlapField) * SECOND;
		const settleDelay = options.integer(settleField) * SECOND;
		return {
			scope: { searchTerm },
			async poll(client, { scope, state, since, limit }, budget) {
				const isTest = since !== undefined;
				const known: RecordState | undefined = isTest
					? { scope, watermark: since, seen: [] }
					: (state as RecordState | undefined);
				const source = createAuditSource(client, searchTerm, known?.way);
				const rules = { overlap, settle: isTest ? 0 : settleDelay };
				const { records, ...result } = await pollNewRecords(known, scope, rules, source, budget);
				const wanted = isAction ? records.filter(({ record }) => isAction(record.action)) : records;
				const actions = records.map(({ record }) => record.action).filter(Boolean);
				const others = [...new Set(actions)].sort();
				return { ...result, items: shapeEvents(wanted, limit, output), others };
			},
		};
	},
};

/** One item per event, or one with all of them, in order of time; only the newest ones. */
function shapeEvents(
	found: readonly NewRecord[],
	limit: number,
	output: 'perEvent' | 'perPoll',
): INodeExecutionData[] {
	const events = [...found]
		.sort((a, b) => a.time - b.time || (a.id < b.id ? -1 : 1))
		.slice(-limit)
		.map(({ id: eventId, record }) => Object.assign({ eventId }, record.raw, { eventId }));
	if (output === 'perEvent') return toItems(events);
	return events.length === 0 ? [] : [toItem({ count: events.length, events })];
}

/**
 * The audit log of the service (interface, "Audit log"): by query, or by the export, where a
 * deployment has no query.
 *
 * @param way the way that worked last
 */
export function createAuditSource(
	client: Client,
	searchTerm: string | undefined,
	way = 'query',
): RecordSource {
	let current = way;
	return {
		...createTimeSource(client),
		get way() {
			return current;
		},
		async records({ start, end }, cursor, maxRecords) {
			const query = (until = end) => ({
				startTime: formatTime(start),
				endTime: until === undefined ? undefined : formatTime(until),
				searchTerm,
			});
			const read = async (by: string): Promise<RecordPage> =>
				by === 'query'
					? await fetchPage(client, auditEvents, { query: query(), cursor })
					: await exportEvents(client, query(end ?? computeEndOfLog(client, start)), maxRecords);
			const first = await settle(read(current));
			if (first.ok) return first.value;
			// A refused cursor may also give a 404, in which case the endpoint is not what is missing.
			if (!hasStatus(first.error, 404) || cursor !== undefined) throw first.error;
			const other = current === 'query' ? 'export' : 'query';
			const second = await settle(read(other));
			if (!second.ok) throw hasStatus(second.error, 404) ? first.error : second.error;
			current = other;
			return second.value;
		},
	};
}

async function exportEvents(
	client: Client,
	query: IDataObject,
	maxRecords = Infinity,
): Promise<RecordPage> {
	const read = await fetchExport(client, query, async (table) => {
		const items: IDataObject[] = [];
		for await (const rows of parseSelectedRows(table).output) {
			for (const row of rows) items.push(removeEmpty(toRecord(table.columns, row)));
			if (items.length > maxRecords) return { items, isCut: true };
		}
		return { items };
	});
	const page = client.withoutSecrets(read);
	return { ...page, items: page.items.map(auditEvents.of) };
}

/**
 * A time after all events, for the export, whose guide requires both ends. n8n's clock may be up to a
 * day behind.
 */
function computeEndOfLog(client: Client, start: Micros): Micros {
	return Math.max(floorToSecond(client.serviceNow() * 1000), start) + DAY;
}

/** The export writes an empty value where the query returns null. */
function removeEmpty(record: Record<string, string>): IDataObject {
	return Object.fromEntries(
		Object.entries(record).map(([name, value]) => [name, value === '' ? null : value]),
	);
}
