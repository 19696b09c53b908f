import type { IExecuteFunctions } from 'n8n-workflow';

import type { Progress } from '../../service/sql/messages';

/** Shortest time between two lines in n8n's log, in milliseconds. */
const INTERVAL_MS = 10_000;

/** Writes the progress of a statement into n8n's log. */
export function loggedProgress(
	{ logger }: Pick<IExecuteFunctions, 'logger'>,
	ids: { executionId: string; sessionId: string },
): (progress: Progress) => void {
	let loggedAt = -Infinity;
	return ({ completed, total, active }) => {
		if (performance.now() - loggedAt < INTERVAL_MS) return;
		loggedAt = performance.now();
		logger.info(`Wherobots SQL: ${completed} of ${total} tasks done, ${active} running`, ids);
	};
}
