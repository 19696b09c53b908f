import type { INodeProperties } from 'n8n-workflow';

import * as rules from '../../service/rules';
import { formatTime, MICROS_PER_MS, parseTime } from '../../service/time/time';
import { clock } from '../../transport/clock';
import type { Input } from '../../parameters/input';

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 365;
/** A hundred years: a longer expiry is a mistake, and dates end somewhere. */
const MAX_DAYS = 36_500;

/** When the key stops working: on a date, or a number of days from now. */
export const expiryFields: INodeProperties[] = [
	{
		displayName: 'Expires',
		name: 'expiry',
		type: 'options',
		options: [
			{ name: 'After a Number of Days', value: 'inDays' },
			{ name: 'On a Date', value: 'date' },
		],
		default: 'inDays',
		description: 'When the key stops working',
	},
	{
		displayName: 'Days',
		name: 'expiresInDays',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: MAX_DAYS },
		default: DEFAULT_DAYS,
		description: 'Days from now until the key expires',
		displayOptions: { show: { expiry: ['inDays'] } },
	},
	{
		displayName: 'Expiry Date',
		name: 'expiresAt',
		type: 'dateTime',
		default: '',
		required: true,
		description: 'Time at which the key expires',
		displayOptions: { show: { expiry: ['date'] } },
	},
];

/**
 * The expiry as the service takes it: ISO 8601 in UTC.
 *
 * @throws NodeOperationError when it is missing or not in the future
 */
export function readExpiry(input: Input): string {
	if (input.choice('expiry', 'Expires', ['inDays', 'date'], 'inDays') === 'inDays') {
		const days = input.integer('expiresInDays', 'Days', rules.atLeast(1), rules.atMost(MAX_DAYS));
		return new Date(clock.now() + days * DAY_MS).toISOString().replace(/\.\d+Z$/, 'Z');
	}
	const text = input.optionalTime('expiresAt', 'Expiry Date');
	if (text === undefined) throw input.problem('Expiry Date', 'must not be empty');
	const time = parseTime(text);
	if (time === undefined || time <= clock.now() * MICROS_PER_MS) {
		throw input.problem('Expiry Date', `must lie in the future, not at ${text}`);
	}
	return formatTime(time);
}
