import { pollAudit } from '../../../../../nodes/Wherobots/trigger/core/audit/auditPoll';
import { eventIdOf } from '../../../../../nodes/Wherobots/trigger/core/audit/events';
import { digest } from '../../../../../nodes/Wherobots/trigger/core/ids';
import {
	newAuditState,
	type AuditState,
	type SeenEvent,
} from '../../../../../nodes/Wherobots/trigger/core/state';
import { HOUR, MINUTE } from '../../../../../nodes/Wherobots/trigger/core/watermark';
import { unlimited } from '../askedSource';
import { START as NOW } from '../slowService';
import { event, type AskedLog } from './askedLog';

export { NOW, unlimited };
export { AskedLog, event, type AskedRange } from './askedLog';

/** Everything up to here is known before a poll: a whole second, an hour ago. */
export const WATERMARK = NOW - HOUR;

export const rules = { overlap: 5 * MINUTE, settle: MINUTE };

export const known = (id: string, time: number): SeenEvent => [keyOf(id), time];

/** The key of an event in a state. */
export const keyOf = (id: string): string => digest(eventIdOf(event(id, 0)));

export function before(seen: SeenEvent[], more: Partial<AuditState> = {}): AuditState {
	return { ...newAuditState('scope', WATERMARK, 'query'), seen, ...more };
}

/** One poll, with only the IDs of its events. */
export async function poll(state: AuditState, log: AskedLog, budget = unlimited, by = rules) {
	const polled = await pollAudit(state, 'scope', by, log, budget);
	return { ...polled, events: polled.events.map(({ event: { event_id } }) => event_id) };
}
