/** Clocks of the service that differ from n8n's. */
import type { Fault } from '../../../sandbox';
import type { MatrixFault } from './types';

const YEAR = 365 * 86_400_000;
const skewed = (at: string): Fault => ({ kind: 'envelope', headers: { date: at } });

/** What an export says of its range, by the service's clock. */
const IS_COMPLETE = ['complete', 'incompleteReason'];

export const clocks: MatrixFault[] = [
	{
		group: 'Clocks',
		name: "the service's clock is years behind",
		fault: () => skewed('Sat, 01 Jan 2022 00:00:00 GMT'),
		adds: IS_COMPLETE,
		expect: 'result',
		cause: /^$/,
	},
	{
		group: 'Clocks',
		name: "the service's clock is years ahead",
		fault: () => skewed('Wed, 01 Jan 2031 00:00:00 GMT'),
		adds: IS_COMPLETE,
		expect: 'result',
		cause: /^$/,
	},
	{
		group: 'Clocks',
		name: 'an invalid Date',
		fault: () => skewed('yesterday'),
		adds: IS_COMPLETE,
		expect: 'result',
		cause: /^$/,
	},
	{
		group: 'Clocks',
		name: "n8n's clock is a year behind",
		fault: () => ({ kind: 'delay', ms: 0 }),
		clockOffsetMs: -YEAR,
		adds: IS_COMPLETE,
		expect: 'either',
		cause: /must be in the future|expir/i,
	},
	{
		group: 'Clocks',
		name: "n8n's clock is a year ahead",
		fault: () => ({ kind: 'delay', ms: 0 }),
		clockOffsetMs: YEAR,
		adds: IS_COMPLETE,
		expect: 'either',
		cause: /must be in the future|expir/i,
	},
];
