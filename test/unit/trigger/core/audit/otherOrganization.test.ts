import { pollAudit } from '../../../../../nodes/Wherobots/trigger/core/audit/auditPoll';
import { HOUR, MINUTE, SECOND } from '../../../../../nodes/Wherobots/trigger/core/watermark';
import { AskedLog, before, event, known, NOW, rules, unlimited } from './askedPoll';

const TIME = NOW - 30 * MINUTE;

/** Nearly settled: the last of four questions is left, and it is answered with no. */
const doubt = { credential: 'other', asked: 3, since: NOW - 10 * MINUTE };

/** A log that shows nothing of the moment that the questions are about, and this event in longer ranges. */
const logWith = (id: string) =>
	new AskedLog(({ start }) => ({ items: start === TIME - SECOND ? [] : [event(id, TIME)] }));

const state = before([known('known', TIME)]);

test('a first poll that shows one of the remembered events is given up, and nothing starts over', async () => {
	const polled = await pollAudit(state, 'scope', rules, logWith('known'), unlimited, doubt);
	expect(polled).toEqual({ state, events: [], notes: [] });
});

test('where the log shows none of them, the trigger starts over, and what happened before does not fire', async () => {
	const polled = await pollAudit(state, 'scope', rules, logWith('unknown'), unlimited, doubt);
	expect(polled).toEqual({
		state: before([known('unknown', TIME)], { watermark: TIME - 5 * MINUTE }),
		events: [],
		notes: ['The credential now belongs to another organization; starting over from now.'],
	});
});

test('a first poll gives no event and notes nothing', async () => {
	const log = new AskedLog(() => ({ items: [event('known', TIME)] }));
	const polled = await pollAudit(undefined, 'scope', rules, log, unlimited);
	expect(polled).toEqual({
		state: before([known('known', TIME)], { watermark: TIME - 5 * MINUTE }),
		events: [],
		notes: [],
	});
	expect(log.asked).toEqual([[NOW - HOUR - SECOND, undefined, undefined, 5_000]]);
});
