import { pollAudit } from '../../../../../nodes/Wherobots/trigger/core/audit/auditPoll';
import { newAuditState } from '../../../../../nodes/Wherobots/trigger/core/state';
import { HOUR, MINUTE, SECOND } from '../../../../../nodes/Wherobots/trigger/core/watermark';
import { parseServiceTime } from '../../../../../nodes/Wherobots/service/time/time';
import { unlimited } from '../askedSource';
import { START as NOW } from '../slowService';
import { AskedLog, event } from './askedLog';

const rules = { overlap: 5 * MINUTE, settle: MINUTE };

test('an event without a time hides none of a log that is an hour behind', async () => {
	const events = [event('old', NOW - HOUR), { event_id: 'timeless' }];
	const log = new AskedLog(({ start, end = Infinity }) => ({
		items: events.filter(({ event_time }) => {
			const time = parseServiceTime(event_time);
			return time === undefined || (time >= start && time <= end);
		}),
	}));
	let state = newAuditState('scope', NOW - 2 * HOUR, 'query');
	const given: string[] = [];
	for (let poll = 0; poll < 4; poll++) {
		const polled = await pollAudit(state, 'scope', rules, log, unlimited);
		state = polled.state;
		given.push(...polled.events.map(({ id }) => id));
		log.time += MINUTE;
		events.push(event(`late-${poll}`, NOW - HOUR + (poll + 1) * MINUTE + SECOND));
	}
	const late = ['audit/late-0', 'audit/late-1', 'audit/late-2'];
	expect(given).toEqual(['audit/old', 'audit/timeless', ...late]);
});
