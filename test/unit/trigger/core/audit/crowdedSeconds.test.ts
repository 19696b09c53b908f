import { pollAudit } from '../../../../../nodes/Wherobots/trigger/core/audit/auditPoll';
import type { AuditState } from '../../../../../nodes/Wherobots/trigger/core/state';
import { MINUTE, SECOND } from '../../../../../nodes/Wherobots/trigger/core/watermark';
import { AskedLog, before, event, known, NOW, rules, WATERMARK } from './askedPoll';

const quiet = WATERMARK + 10 * SECOND;
const crowded = NOW - 10 * SECOND;

/** Three polls with a new key over three minutes, each with time for two requests. */
async function askThrice(state: AuditState, pages: (start: number) => string[]) {
	let { doubt } = { doubt: state.doubt ?? { credential: 'new', asked: 0 } } as AuditState;
	let polled = { state, notes: [] as string[] };
	const asked: number[] = [];
	for (let times = 0; times < 3 && doubt; times++) {
		const log = new AskedLog(({ start }, cursor = '0') => {
			const [id] = pages(start).slice(Number(cursor));
			return { items: id ? [event(id, start + SECOND)] : [], next: String(Number(cursor) + 1) };
		});
		log.time = NOW + times * MINUTE;
		polled = await pollAudit(state, 'scope', rules, log, log.timeFor(2), doubt);
		asked.push(...log.asked.map(([start]) => start));
		({ doubt } = polled.state);
	}
	return { ...polled, asked };
}

const crowd = Array.from({ length: 9 }, (_, index) => `other-${index}`);

test('a new key is recognized by an event of the most recent seconds', async () => {
	const seen = [known('old', quiet), known('new', crowded)];
	const { asked, state } = await askThrice(before(seen), () => ['new']);
	expect(asked).toEqual([crowded - SECOND]);
	expect(state.doubt).toBeUndefined();
});

test('a new key counts as one of the same organization when a second has more events than a poll can read: hardly any other would have as many', async () => {
	const { asked, notes, state } = await askThrice(before([known('one', crowded)]), () => crowd);
	expect(asked).toHaveLength(2);
	expect(notes).toEqual([]);
	expect(state.doubt).toBeUndefined();
	expect(state.seen).toHaveLength(1);
});
