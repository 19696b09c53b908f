import { NodeApiError, type IPollFunctions } from 'n8n-workflow';

import { clock } from '../transport/clock';
import { failureOf } from '../transport/failures/errors';
import { isDurable } from './pollBudget';
import type { ProcessMemory } from './processMemory';

/** How often the same failure is reported. */
const REPORT_EVERY_MS = 3_600_000;

/**
 * Whether to report a failed poll to n8n; otherwise the log is enough.
 *
 * n8n gives up on a workflow for good when its activation fails a few times within half a minute, for
 * example on a restart. So an outage of the service must not fail the activation of a trigger with a
 * stored state; wrong keys and URLs must. Without a state the activation has to fail: n8n would not
 * store what a later poll finds, and a restart would lose it. Later failures are reported, but n8n's
 * classic engine would add the same error to the list of executions every minute, so it gets the same
 * failure once an hour, and a different one at once.
 */
export function mustReport(
	context: IPollFunctions,
	memory: ProcessMemory,
	error: unknown,
	activation: 'none' | 'first' | 'again',
): boolean {
	if (activation === 'again' && isOutage(error)) return false;
	if (isDurable(context)) return true;

	const now = clock.now();
	// Without parts that vary, such as request IDs.
	const { httpCode, message } = error as { httpCode?: string | null; message?: string };
	const key = JSON.stringify([httpCode, message]);
	const last = memory.failure;
	const elapsed = last ? now - last.reportedAt : Infinity;
	if (activation === 'none' && last?.key === key && elapsed >= 0 && elapsed < REPORT_EVERY_MS)
		return false;
	memory.failure = { key, reportedAt: now };
	return true;
}

/** Whether a failure is temporary: no response, overload, failures of the service. */
export function isOutage(error: unknown): boolean {
	if (!(error instanceof NodeApiError) || failureOf(error).addressAtFault) return false;
	const { httpCode } = error;
	return httpCode === null || httpCode === '429' || httpCode.startsWith('5');
}
