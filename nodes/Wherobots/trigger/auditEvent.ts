import type { IDataObject, INodeExecutionData, INodeProperties } from 'n8n-workflow';

import { defineChoiceField, defineTextField } from '../form/declarations';
import { actionNamesField, defineOptions } from '../form/fields';
import { ACTION_NAME, createActionFilter } from '../service/records';
import { toItem, toItems } from '../form/output';
import { pollAudit, type NewAuditEvent } from './core/auditLog';
import { createAuditState, SECOND } from './core/cursor';
import type { TriggerEvent } from './event';
import { createAuditSource } from './sources';

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

const overlapField: INodeProperties = {
	displayName: 'Overlap (Seconds)',
	name: 'overlapSeconds',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: 86_400 },
	default: 300,
	description: 'How late an event may appear in the audit log and still be found',
};

const settleField: INodeProperties = {
	displayName: 'Settle Delay (Seconds)',
	name: 'settleSeconds',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: 3600 },
	default: 60,
	description:
		'How old an event must be before it starts the workflow, so that events arrive in order',
};

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
		const settle = options.integer(settleField) * SECOND;
		return {
			scope: { searchTerm },
			async poll(client, { scope, state, since, limit }, budget) {
				const stored = state?.kind === 'audit' ? state : undefined;
				const isTest = since !== undefined;
				const known = isTest ? createAuditState(scope, since, 'query') : stored;
				const source = createAuditSource(client, searchTerm, known?.way);
				const rules = { overlap, settle: isTest ? 0 : settle };
				const { events, ...result } = await pollAudit(known, scope, rules, source, budget);
				const actionOf = ({ event }: NewAuditEvent) => String(event[ACTION_NAME]);
				const wanted = isAction ? events.filter((event) => isAction(actionOf(event))) : events;
				const named = events.filter(({ event }) => Boolean(event[ACTION_NAME]));
				const others = [...new Set(named.map(actionOf))].sort();
				return { ...result, items: toAuditItems(wanted, limit, output), others };
			},
		};
	},
};

/** One item per event, or one with all of them, in order of time; only the newest ones. */
function toAuditItems(
	events: readonly NewAuditEvent[],
	limit: number,
	output: 'perEvent' | 'perPoll',
): INodeExecutionData[] {
	const records = [...events]
		.sort((a, b) => a.time - b.time || (a.id < b.id ? -1 : 1))
		.slice(-limit)
		.map(({ id, event }): IDataObject => Object.assign({ eventId: id }, event, { eventId: id }));
	if (output === 'perEvent') return toItems(records);
	return records.length === 0 ? [] : [toItem({ count: records.length, events: records })];
}
