import { explainFailure } from '../../../../nodes/Wherobots/service/runs/failedRun';
import { toLogTime } from '../../../../nodes/Wherobots/service/runs/logLines';
import { failedLogs } from '../../../support/failedLogs';

it.each(failedLogs)('why a run failed is in its log: $title', ({ lines, says, shows, hides }) => {
	const { excerpt, ...found } = explainFailure(lines);
	expect(found).toEqual(says);
	expect(excerpt.length).toBeLessThanOrEqual(50);
	const shown = excerpt.join('\n');
	for (const line of shows) expect(shown).toContain(line);
	for (const line of hides) expect(shown).not.toContain(line);
	expect(excerpt.length > 0).toBe(says.location !== undefined || shows.length > 0);
});

it.each([
	['seconds', 1_795_262_400, '2026-11-21T12:00:00Z'],
	['milliseconds', 1_795_262_400_123, '2026-11-21T12:00:00.123Z'],
	['microseconds as text', '1795262400123456', '2026-11-21T12:00:00.123456Z'],
	['nanoseconds as text', '1795262400123456789', '2026-11-21T12:00:00.123456789Z'],
	['seconds with spaces around them', ' 1795262400\n', '2026-11-21T12:00:00Z'],
	['a date', '2026-11-21T12:00:00.123456789Z', '2026-11-21T12:00:00.123456789Z'],
	['a date in another zone', '2026-11-21T13:00:00+01:00', '2026-11-21T12:00:00Z'],
])('reads %s', (_, timestamp, expected) => {
	expect(toLogTime(timestamp)).toBe(expected);
});

it.each(['5', 17, '17952624001', 'yesterday', ''])('does not read %j as a time', (timestamp) => {
	expect(toLogTime(timestamp)).toBeUndefined();
});
