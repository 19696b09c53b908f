/** Events that start the workflow for each new record of a list, declared by their specifics. */
import type { INodeExecutionData, INodeProperties } from 'n8n-workflow';

import { defineChoiceField, defineCountField } from '../form/declarations';
import { defineOptions } from '../form/fields';
import type { Input } from '../form/input';
import { toItem, toItems } from '../form/output';
import { pick } from '../service/records';
import type { Client } from '../transport/client';
import { type RecordState, SECOND } from './core/cursor';
import {
	type NewRecord,
	pollNewRecords,
	type RecordSource,
	type TimedRecord,
} from './core/newRecords';
import type { ConfiguredEvent, TriggerEvent } from './event';

interface Declaration<R extends TimedRecord>
	extends Pick<TriggerEvent, 'name' | 'description' | 'record' | 'fields'> {
	/** Where the records appear: `the audit log`. */
	where: string;
	/** The fields that come first in items; null where a record has none. */
	first: string[];
	/** The first members of the collection of options. */
	options?: INodeProperties[];
	/** Reads the settings. Throws a Failure that names the field. */
	read(
		input: Input,
		options: Input,
	): Pick<ConfiguredEvent, 'scope'> & {
		/** @param way the way that worked last, where the source has several */
		createSource(client: Client, way?: string): RecordSource<R>;
		/** Selects records that the service cannot select. */
		isWanted?(record: R): boolean;
		/** What a manual test names where it finds other records only. */
		getLabel?(record: R): string;
	};
}

const outputField = defineChoiceField({
	displayName: 'Output',
	name: 'output',
	options: { perEvent: 'One Item per Event', perPoll: 'One Item per Poll' },
	default: 'perEvent',
	description: 'How to output new events: an item for each, or one item with all of them',
});

const settleField = defineCountField({
	displayName: 'Min Age (Seconds)',
	name: 'settleSeconds',
	typeOptions: { minValue: 0, maxValue: 3600 },
	default: 60,
	description:
		'How old an event must be before it starts the workflow, so that events arrive in order. Enter 0 to start it at once, in any order.',
});

/** An event for each new record of a list. */
export function defineNewRecordEvent<R extends TimedRecord>({
	fields,
	options: ownOptions = [],
	read,
	where,
	first,
	...entry
}: Declaration<R>): TriggerEvent {
	const overlapField = defineCountField({
		displayName: 'Max Lateness (Seconds)',
		name: 'overlapSeconds',
		typeOptions: { minValue: 0, maxValue: 86_400 },
		default: 300,
		description: `How late an event may appear in ${where} and still be found. With 0, events that appear after a newer one can be missed.`,
	});
	const optionsField = defineOptions(...ownOptions, overlapField, settleField);
	return {
		...entry,
		fields: [...fields, outputField, optionsField],
		read(input) {
			const options = input.within(optionsField);
			const { scope, createSource, isWanted, getLabel = () => '' } = read(input, options);
			const output = input.choice(outputField);
			const overlap = options.integer(overlapField) * SECOND;
			const settle = options.integer(settleField) * SECOND;
			return {
				scope,
				async poll(client, { scope: digest, state, since, limit }, budget) {
					const isTest = since !== undefined;
					const known: RecordState | undefined = isTest
						? { scope: digest, watermark: since, seen: [] }
						: (state as RecordState | undefined);
					const source = createSource(client, known?.way);
					const rules = { overlap, settle: isTest ? 0 : settle };
					const polled = await pollNewRecords(known, digest, rules, source, budget);
					const { records, ...result } = polled;
					const wanted = isWanted ? records.filter(({ record }) => isWanted(record)) : records;
					const labels = records.map(({ record }) => getLabel(record)).filter(Boolean);
					const others = [...new Set(labels)].sort();
					return { ...result, items: shapeRecords(wanted, first, limit, output), others };
				},
			};
		},
	};
}

/** One item per record, or one with all of them, in order of time; only the newest ones. */
function shapeRecords<R extends TimedRecord>(
	found: ReadonlyArray<NewRecord<R>>,
	first: string[],
	limit: number,
	output: 'perEvent' | 'perPoll',
): INodeExecutionData[] {
	const events = [...found]
		.sort((a, b) => a.time - b.time || (a.id < b.id ? -1 : 1))
		.slice(-limit)
		.map(({ id: eventId, record }) => ({ ...pick(record.raw, first), ...record.raw, eventId }));
	if (output === 'perEvent') return toItems(events);
	return events.length === 0 ? [] : [toItem({ count: events.length, events })];
}
