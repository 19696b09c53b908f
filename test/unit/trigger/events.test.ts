import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { Input } from '../../../nodes/Wherobots/form/input';
import type { Run } from '../../../nodes/Wherobots/service/records';
import type { Client } from '../../../nodes/Wherobots/transport/client';
import { events } from '../../../nodes/Wherobots/trigger/poll';
import { MINUTE, newRunState } from '../../../nodes/Wherobots/trigger/core/cursor';
import { changeTime, inTimeOrder } from '../../../nodes/Wherobots/trigger/runEvents';
import { suiteInVirtualTime } from '../../support/virtualTime';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const WATERMARK = NOW * 1_000 - 60 * MINUTE;
const unlimited = { spent: () => false };

const time = suiteInVirtualTime();

// The clocks of n8n and of the service agree.
beforeEach(() => {
	time.now = NOW;
});

/** An event with these settings; others have their defaults. */
function configured(event: string, parameters: Record<string, unknown>) {
	const context = {
		getNode: () => ({ name: 'Wherobots Trigger' }),
		getTimezone: () => 'UTC',
		getNodeParameter: (path: string, unset: unknown) => parameters[path] ?? unset,
	};
	return events[event].read(new Input(context as unknown as IPollFunctions));
}

/** A client of a service whose every list holds these records, in one page. */
const listing = (...items: IDataObject[]) =>
	({
		serviceNow: () => NOW,
		knowsServiceTime: true,
		call: async () => await Promise.resolve({ items, next_page: null }),
	}) as unknown as Client;

/** A run that has been running for this many minutes. */
function running(minutes: number): IDataObject {
	const startTime = new Date(NOW - minutes * 60_000).toISOString();
	return { id: `${minutes}`, name: 'nightly', status: 'RUNNING', createTime: startTime, startTime };
}

/** What a poll finds, starting from an empty state. */
async function found(parameters: Record<string, unknown>, client: Client) {
	const start = { scope: 'scope', state: newRunState('scope', WATERMARK), limit: Infinity };
	const event = configured('runExceededDuration', parameters);
	const { items } = await event.poll(client, start, unlimited);
	return items.map(({ json }) => json.id);
}

describe('the duration limits', () => {
	const pending = { ...running(20), id: 'pending', status: 'PENDING', startTime: null };
	const client = listing(pending, running(30));

	// Every run would exceed a limit of zero.
	it.each([
		[5, 0, ['pending']],
		[0, 10, ['30']],
		[5, 10, ['30', 'pending']],
	])(
		'only count when they are not 0: pending %i, running %i',
		async (pendingMinutes, runningMinutes, ids) => {
			expect(await found({ pendingMinutes, runningMinutes }, client)).toEqual(ids);
		},
	);

	it('are refused when both are 0, naming both fields', () => {
		const parameters = { pendingMinutes: 0, runningMinutes: 0 };
		expect(() => configured('runExceededDuration', parameters)).toThrow(
			/^'Running Longer Than \(Minutes\)' or 'Pending Longer Than \(Minutes\)' must/,
		);
	});
});

const at = (minute: number) => new Date(Date.UTC(2026, 10, 21, 12, minute)).toISOString();

const CREATED = at(1);
const STARTED = at(2);
const COMPLETED = at(3);
const UPDATED = at(4);

const timedRun = (status: string, more: object = {}): Run => ({
	id: 'r1',
	name: 'nightly',
	status,
	createTime: CREATED,
	startTime: STARTED,
	completeTime: COMPLETED,
	updateTime: UPDATED,
	...more,
});

describe('the time of a change', () => {
	it.each([
		['PENDING', 'creation', CREATED],
		['RUNNING', 'start', STARTED],
		['COMPLETED', 'end', COMPLETED],
		['FAILED', 'end', COMPLETED],
		['CANCELLED', 'end', COMPLETED],
		['TIMED_OUT', 'end', COMPLETED],
		['HIBERNATING', 'last update, as that status is unknown', UPDATED],
	])('to %s is the time of its %s', (status, _, expected) => {
		expect(changeTime(timedRun(status))).toBe(expected);
	});

	const neither = { startTime: null, updateTime: undefined };
	it.each([
		['that of the last update when its own is missing', { startTime: null }, UPDATED],
		['that of the creation when both are missing', neither, CREATED],
		['unknown when all are missing', { ...neither, createTime: undefined }, undefined],
	])('is %s', (_, more, expected) => {
		expect(changeTime(timedRun('RUNNING', more))).toBe(expected);
	});
});

describe('changes', () => {
	const orderOf = (runs: Run[]) =>
		inTimeOrder(
			runs.map((run) => ({ run, previousStatus: null })),
			changeTime,
		).map(({ run }) => run.id);
	const startedAt = (id: string, minute: number) =>
		timedRun('RUNNING', { id, startTime: at(minute) });
	const [first, second] = [startedAt('a', 10), startedAt('b', 20), startedAt('c', 30)];

	it('within one millisecond come in the order in which they happened', () => {
		const [a, b] = ['000002', '000001'].map((micros) =>
			timedRun('RUNNING', { id: micros, startTime: `2026-01-01T10:00:00.${micros}Z` }),
		);
		expect(orderOf([a, b])).toEqual(['000001', '000002']);
	});

	it('without a valid time come first, in the order found', () => {
		const unread = ['y', 'x'].map((id) => timedRun('RUNNING', { id, startTime: 'soon' }));
		expect(orderOf([unread[0], first, unread[1]])).toEqual(['y', 'x', 'a']);
		expect(orderOf([second, first, ...unread])).toEqual(['y', 'x', 'a', 'b']);
	});
});
