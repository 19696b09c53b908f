import { Readable } from 'node:stream';

import { AUDIT_COLUMNS } from '../../../nodes/Wherobots/service/auditLog';
import { clock } from '../../../nodes/Wherobots/transport/clock';
import { forgetThrottles } from '../../../nodes/Wherobots/transport/throttle';
import { suiteInVirtualTime, type VirtualTime } from '../../support/virtualTime';

/** The service's time, which stands still. */
export const NOW = Date.parse('2026-11-21T12:00:00Z');
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

/** The service's time this many milliseconds ago. */
export const ago = (ms: number) => new Date(NOW - ms).toISOString().replace('.000Z', 'Z');

export const dated = { date: new Date(NOW).toUTCString() };

/** A reply with the last page of a list. */
export const page = (items: object[] = [], headers: Record<string, string> = dated) => ({
	headers,
	body: JSON.stringify({ items, next_page: null }),
});

/** A reply with an export of these events. */
export function exported(
	events: Array<Partial<Record<string, string>>> = [],
	headers: Record<string, string> = dated,
) {
	const rows = events.map((event) => AUDIT_COLUMNS.map((name) => event[name] ?? ''));
	const text = [AUDIT_COLUMNS, ...rows].map((row) => `${row.join(',')}\n`).join('');
	const body = Buffer.from(text);
	const length = { 'content-length': String(body.length) };
	return { headers: { ...length, ...headers }, body: Readable.from([body]) };
}

/** Sets n8n's clock to the service's time before each test of a file, and makes pauses take no time. */
export function suiteAtOneTime(): VirtualTime {
	const time = suiteInVirtualTime();
	beforeEach(() => {
		time.now = NOW;
		clock.pause = async () => await Promise.resolve();
		forgetThrottles();
	});
	return time;
}
