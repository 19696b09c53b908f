import type { Run } from '../../../nodes/Wherobots/service/types';
import { auditItems } from '../../../nodes/Wherobots/trigger/events/auditEvent';
import { inTimeOrder } from '../../../nodes/Wherobots/trigger/events/runEvent';
import { changeTime } from '../../../nodes/Wherobots/trigger/events/runStatusChanged';

const at = (minute: number) => new Date(Date.UTC(2026, 10, 21, 12, minute)).toISOString();

const CREATED = at(1);
const STARTED = at(2);
const COMPLETED = at(3);
const UPDATED = at(4);

const runOf = (status: string, more: object = {}): Run => ({
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
		expect(changeTime(runOf(status))).toBe(expected);
	});

	it.each([
		['that of the last update when its own is missing', { startTime: null }, UPDATED],
		[
			'that of the creation when both are missing',
			{ startTime: null, updateTime: undefined },
			CREATED,
		],
		[
			'unknown when all are missing',
			{ startTime: null, updateTime: undefined, createTime: undefined },
			undefined,
		],
	])('is %s', (_, more, expected) => {
		expect(changeTime(runOf('RUNNING', more))).toBe(expected);
	});
});

describe('changes', () => {
	const orderOf = (runs: Run[]) =>
		inTimeOrder(
			runs.map((run) => ({ run, previousStatus: null })),
			changeTime,
		).map(({ run }) => run.id);
	const startedAt = (id: string, minute: number) => runOf('RUNNING', { id, startTime: at(minute) });
	const [first, second, third] = [startedAt('a', 10), startedAt('b', 20), startedAt('c', 30)];

	it.each([
		['oldest first', [first, second, third]],
		['newest first', [third, second, first]],
		['mixed', [second, third, first]],
	])('come in the order in which they happened, found %s', (_, runs) => {
		expect(orderOf(runs)).toEqual(['a', 'b', 'c']);
	});

	it('within one millisecond come in the order in which they happened', () => {
		const [a, b] = ['000002', '000001'].map((micros) =>
			runOf('RUNNING', { id: micros, startTime: `2026-01-01T10:00:00.${micros}Z` }),
		);
		expect(orderOf([a, b])).toEqual(['000001', '000002']);
	});

	it('without a valid time come first, in the order found', () => {
		const unread = ['y', 'x'].map((id) => runOf('RUNNING', { id, startTime: 'soon' }));
		expect(orderOf([unread[0], first, unread[1]])).toEqual(['y', 'x', 'a']);
		expect(orderOf([second, first, ...unread])).toEqual(['y', 'x', 'a', 'b']);
	});
});

describe('audit events', () => {
	const eventOf = (id: string, minute: number) => ({ id, time: minute, event: { minute } });
	const [old, one, two] = [eventOf('z', 1), eventOf('a', 2), eventOf('b', 2)];

	it.each([
		['in this order', [old, one, two]],
		['in the opposite order', [two, one, old]],
		['mixed', [two, old, one]],
	])('come in order of time, then of ID, found %s', (_, events) => {
		const items = auditItems(events, Infinity, 'perEvent');
		expect(items.map(({ json }) => json.eventId)).toEqual(['z', 'a', 'b']);
	});
});
