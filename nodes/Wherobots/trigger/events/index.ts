import { updateDisplayOptions, type INodeProperties } from 'n8n-workflow';

import { choiceField } from '../../parameters/declarations';
import { auditEvent } from './auditEvent';
import type { TriggerEvent } from './event';
import { runExceededCost } from './runExceededCost';
import { runExceededDuration } from './runExceededDuration';
import { runStatusChanged } from './runStatusChanged';
import { taskRunStateChanged } from './taskRunStateChanged';

/** The events by the values of the 'event' parameter, in the order of their names. */
export const events: Record<string, TriggerEvent> = {
	auditEvent,
	runExceededCost,
	runExceededDuration,
	runStatusChanged,
	taskRunStateChanged,
};

export const eventField = choiceField({
	displayName: 'Event',
	name: 'event',
	noDataExpression: true,
	options: Object.entries(events).map(([value, { name, description }]) => ({
		name,
		value,
		description,
	})),
	default: 'runStatusChanged',
});

/** The form of the trigger. n8n puts 'Poll Times' before it. */
export const properties: INodeProperties[] = [
	eventField,
	...Object.entries(events).flatMap(([event, { fields }]) =>
		updateDisplayOptions({ show: { event: [event] } }, fields),
	),
];

const subtitles = Object.entries(events).map(([event, { name }]) => [
	event,
	`${name[0]}${name.slice(1).toLowerCase()}`,
]);

/** The line under the node's name: "Job run status changed". The editor evaluates it as an expression. */
export const subtitle = `={{ (${JSON.stringify(Object.fromEntries(subtitles))})[$parameter["event"]] }}`;
