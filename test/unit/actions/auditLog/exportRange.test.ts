import { incompleteReason } from '../../../../nodes/Wherobots/actions/auditLog/exportRange';
import { LATE_EVENTS, oldestKept } from '../../../../nodes/Wherobots/service/auditLog';

const now = Date.parse('2026-11-21T12:00:00Z') * 1000;
const oldest = oldestKept(now / 1000);
const start = now - 3_600_000_000;

it.each([
	['ends a microsecond from now', { start, end: now + 1 }, 'endsInFuture'],
	['ends now', { start, end: now }, 'endsTooRecently'],
	['ended slightly too recently', { start, end: now - LATE_EVENTS + 1 }, 'endsTooRecently'],
	['ended just long enough ago', { start, end: now - LATE_EVENTS }, undefined],
	['begins with the oldest event', { start: oldest, end: oldest + 1 }, undefined],
	['begins before it', { start: oldest - 1, end: oldest + 1 }, 'startsBeforeRetention'],
])('why a range that %s is not complete', (_, range, reason) => {
	expect(incompleteReason(range, now)).toBe(reason);
});
