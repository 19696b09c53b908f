import { NodeApiError, type IPollFunctions } from 'n8n-workflow';

import { clock } from '../transport/clock';
import { isDurable } from './pollBudget';
import type { ProcessMemory } from './processMemory';

/** How often the same failure is reported. */
const REPORT_EVERY_MS = 3_600_000;

/** The longest wait that is granted to the service without asking again. */
const LONGEST_WAIT_MS = 3_600_000;

/**
 * Decides what becomes of a failed poll: true when n8n has to be told, false when the log is enough.
 *
 * n8n gives a workflow up for good when its activation fails a few times within half a minute, as it
 * does when n8n is restarted. So a service that is down must not fail the activation of a trigger
 * that has a state to go on from; wrong keys and addresses must. Without a state the activation has
 * to fail: n8n would not store what a later poll finds, and a restart would lose it. Later failures
 * are reported, but n8n's classic engine would write the same error into the list of executions
 * every minute: it is told of a failure once an hour, and of another one at once.
 */
export function mustReport(
	context: IPollFunctions,
	memory: ProcessMemory,
	error: unknown,
	activation: 'none' | 'first' | 'again',
): boolean {
	const wait = (error as { failure?: { retryAfterMs?: number } }).failure?.retryAfterMs;
	if (activation === 'again' && isPassing(error) && mayOverlook(context, memory)) return false;
	if (isDurable(context)) return true;

	const now = clock.now();
	if (wait) memory.notBefore = now + Math.min(wait, LONGEST_WAIT_MS);
	const key = keyOf(error);
	const last = memory.failure;
	const elapsed = last ? now - last.reportedAt : Infinity;
	if (activation === 'none' && last?.key === key && elapsed >= 0 && elapsed < REPORT_EVERY_MS)
		return false;
	memory.failure = { key, reportedAt: now };
	return true;
}

/**
 * An n8n before 2.38 with the durable scheduler looks as if it activated the workflow with every
 * poll, always as an update: there, only the first failure in a row is passed over.
 */
function mayOverlook(context: IPollFunctions, memory: ProcessMemory): boolean {
	if (context.getActivationMode() === 'update' && memory.isOverlooking) return false;
	memory.isOverlooking = true;
	return true;
}

/** Whether the service asked for a wait that is not over. */
export function mustWait(memory: ProcessMemory): boolean {
	const left = (memory.notBefore ?? 0) - clock.now();
	return left > 0 && left <= LONGEST_WAIT_MS;
}

/** Failures that time mends: no response, overload, failures on the service's side. */
export function isPassing(error: unknown): boolean {
	if (!(error instanceof NodeApiError) || error.context.addressAtFault === true) return false;
	const { httpCode } = error;
	return httpCode === null || httpCode === '429' || httpCode.startsWith('5');
}

/** Names a failure without what differs from time to time, such as request ids. */
function keyOf(error: unknown): string {
	const { httpCode, message } = error as { httpCode?: string | null; message?: string };
	return JSON.stringify([httpCode, message]);
}
