/** Clocks of the service that differ from n8n's. */
import type { Fault } from '../../../sandbox';
import { inGroup, type MatrixFault } from './types';

const YEAR = 365 * 86_400_000;
const skewed = (at: string): Fault => ({ kind: 'envelope', headers: { date: at } });

/** What an export says of its range, by the service's clock. */
const adds = ['complete', 'incompleteReason'];

const service = inGroup('Clocks', { expect: 'result', cause: /^$/, adds });
const n8n = inGroup('Clocks', { expect: 'either', cause: /must be in the future|expir/i, adds });

export const clocks: MatrixFault[] = [
	service("the service's clock is years behind", skewed('Sat, 01 Jan 2022 00:00:00 GMT')),
	service("the service's clock is years ahead", skewed('Wed, 01 Jan 2031 00:00:00 GMT')),
	service('an invalid Date', skewed('yesterday')),
	n8n("n8n's clock is a year behind", { kind: 'delay', ms: 0 }, { clockOffsetMs: -YEAR }),
	n8n("n8n's clock is a year ahead", { kind: 'delay', ms: 0 }, { clockOffsetMs: YEAR }),
];
