import { updateDisplayOptions, type INodeProperties } from 'n8n-workflow';

import { choiceField } from '../form/declarations';
import { auditEvent } from './auditEvent';
import { runExceededCost } from './costEvent';
import { runExceededDuration } from './durationEvent';
import type { TriggerEvent } from './event';
import { runStatusChanged, taskRunStateChanged } from './runEvents';
import { tableChanged } from './tableEvent';

/** The events by the values of the 'event' parameter, in the order of their names. */
export const events: Record<string, TriggerEvent> = {
	auditEvent,
	runExceededCost,
	runExceededDuration,
	runStatusChanged,
	tableChanged,
	taskRunStateChanged,
};

const entries = Object.entries(events);

export const eventField = choiceField({
	displayName: 'Event',
	name: 'event',
	noDataExpression: true,
	options: entries.map(([value, { name, description }]) => ({ name, value, description })),
	default: 'runStatusChanged',
});

/** The form of the trigger. n8n puts 'Poll Times' before it. */
export const properties: INodeProperties[] = [
	eventField,
	...entries.flatMap(([event, { fields }]) =>
		updateDisplayOptions({ show: { event: [event] } }, fields),
	),
];

/** "Job run status changed" and so on. */
const sentences = entries.map(([event, { name }]) => [
	event,
	name[0] + name.slice(1).toLowerCase(),
]);

/** The line under the node's name. The editor evaluates it as an expression. */
export const subtitle = `={{ (${JSON.stringify(Object.fromEntries(sentences))})[$parameter["event"]] }}`;
