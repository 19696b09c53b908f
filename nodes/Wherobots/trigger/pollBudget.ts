import type { IPollFunctions } from 'n8n-workflow';

import { clock } from '../transport/clock';
import type { Budget } from './core/source';

/** Longer polls would overlap with the next one: n8n polls at most once a minute. */
const LONGEST_MS = 45_000;

/** The rest is for returning the items. */
const SHARE = 0.8;

/** The budget of n8n's classic engine, which does not end polls itself. */
const CLASSIC_BUDGET_MS = 300_000;

export interface PollTime extends Budget {
	/** When the poll has to be over, by `clock.monotonic`. */
	deadline: number;
}

/** How long this poll may take. n8n has `getPollBudgetMs` since 2.38. */
export function pollTime(context: IPollFunctions): PollTime {
	const offered = offeredMs(context) ?? Infinity;
	const started = clock.monotonic();
	const length = Math.min(offered, LONGEST_MS) * SHARE;
	return {
		deadline: started + length,
		spent: (share = 1) => clock.monotonic() - started >= length * share,
	};
}

/**
 * Whether n8n's durable scheduler runs this poll. It backs off after an error, whereas the classic
 * engine adds an execution for each failed poll.
 */
export function isDurable(context: IPollFunctions): boolean {
	const offered = offeredMs(context);
	return offered !== undefined && offered !== CLASSIC_BUDGET_MS;
}

const activated = new WeakSet<object>();

/**
 * Whether this poll activates the workflow. The classic engine keeps one context per activation; the
 * durable scheduler creates one per poll.
 */
export function isActivation(context: IPollFunctions): boolean {
	if (isDurable(context) || activated.has(context)) return false;
	activated.add(context);
	return true;
}

function offeredMs(context: IPollFunctions): number | undefined {
	const { getPollBudgetMs } = context as Partial<IPollFunctions>;
	return typeof getPollBudgetMs === 'function' ? context.getPollBudgetMs() : undefined;
}
