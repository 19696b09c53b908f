import type { IDataObject } from 'n8n-workflow';

import { auditBaseline } from '../../../../../nodes/Wherobots/trigger/core/audit/auditBaseline';
import {
	eventIdOf,
	eventTimeOf,
} from '../../../../../nodes/Wherobots/trigger/core/audit/auditEvents';
import { digest } from '../../../../../nodes/Wherobots/trigger/core/digest';
import type { Budget } from '../../../../../nodes/Wherobots/trigger/core/source';
import {
	newAuditState,
	type AuditState,
	type SeenEvent,
} from '../../../../../nodes/Wherobots/trigger/core/state';
import { HOUR, MINUTE } from '../../../../../nodes/Wherobots/trigger/core/watermark';
import { unlimited } from '../askedSource';
import { START as NOW } from '../slowService';
import type { AskedLog } from './askedLog';

export { NOW, unlimited };

export const OVERLAP = 10 * MINUTE;

/** Where a list that begins anew may be cut. */
export const MOST = 5_000;

export async function firstPoll(
	log: AskedLog,
	previous?: AuditState,
	budget: Budget = unlimited,
): Promise<AuditState> {
	return await auditBaseline(previous, 'scope', OVERLAP, log, budget);
}

/** The state of a first poll that an earlier poll began at `NOW`. */
export function begun(more: Partial<AuditState> = {}): AuditState {
	return { ...finished(NOW - HOUR), baseline: true, began: NOW, ...more };
}

/** The state after a first poll that has read all it has to. */
export function finished(watermark: number, ...known: IDataObject[]): AuditState {
	return newAuditState('scope', watermark, 'query', seen(...known));
}

/** How a state remembers events. */
export function seen(...events: IDataObject[]): SeenEvent[] {
	return events.map((event) => [keyOf(event), eventTimeOf(event) as number]);
}

export const keyOf = (event: IDataObject) => digest(eventIdOf(event));
