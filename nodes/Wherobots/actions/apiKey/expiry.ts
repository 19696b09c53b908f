import type { INodeProperties } from 'n8n-workflow';

import { choiceField, timeField } from '../../parameters/declarations';
import { formatTime, MICROS_PER_MS } from '../../service/time/time';
import { clock } from '../../transport/clock';
import type { Input } from '../../parameters/input';

const DAY_MS = 86_400_000;
/** A hundred years: a longer expiry is a mistake, and JavaScript's dates have an end. */
const MAX_DAYS = 36_500;

export const expiryField = choiceField({
	displayName: 'Expires',
	name: 'expiry',
	options: [
		{ name: 'After a Number of Days', value: 'inDays' },
		{ name: 'On a Date', value: 'date' },
	],
	default: 'inDays',
	description: 'When the key stops working',
});

const daysField: INodeProperties = {
	displayName: 'Days',
	name: 'expiresInDays',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: MAX_DAYS },
	default: 365,
	description: 'Number of days from now until the key expires',
	displayOptions: { show: { expiry: ['inDays'] } },
};

const dateField = timeField({
	displayName: 'Expiry Date',
	name: 'expiresAt',
	required: true,
	description: 'When the key expires',
	displayOptions: { show: { expiry: ['date'] } },
});

export const expiryFields: INodeProperties[] = [expiryField, daysField, dateField];

/**
 * The expiry as the service takes it: ISO 8601 in UTC.
 *
 * @throws NodeOperationError when it is missing or not in the future
 */
export function readExpiry(input: Input): string {
	if (input.choice(expiryField) === 'inDays') {
		const days = input.integer(daysField);
		return new Date(clock.now() + days * DAY_MS).toISOString().replace(/\.\d+/, '');
	}
	const time = input.time(dateField);
	if (time <= clock.now() * MICROS_PER_MS) {
		throw input.problem(dateField, `must be in the future, not ${formatTime(time)}`);
	}
	return formatTime(time);
}
