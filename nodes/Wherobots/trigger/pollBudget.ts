import type { IPollFunctions } from 'n8n-workflow';

import { clock } from '../transport/clock';
import type { Budget } from './core/source';

/** What a poll has where n8n does not say: enough for most, and over before the next one begins. */
const DEFAULT_BUDGET_MS = 30_000;

/** Longer polls would meet the next one: n8n polls every minute at most. */
const LONGEST_MS = 45_000;

/** The rest is for handing over the items. */
const SHARE = 0.8;

/** What n8n's classic engine offers since it has a budget at all: it does not end a poll itself. */
const CLASSIC_BUDGET_MS = 300_000;

export interface PollTime extends Budget {
	/** When the poll has to be over, in ms since the epoch. */
	deadline: number;
}

/** How long this poll may take. `getPollBudgetMs` is there from n8n 2.38 on. */
export function pollTime(context: IPollFunctions): PollTime {
	const offered = offeredMs(context) ?? DEFAULT_BUDGET_MS;
	const started = clock.monotonic();
	const length = Math.min(offered, LONGEST_MS) * SHARE;
	return {
		deadline: clock.now() + length,
		spent: (share = 1) => clock.monotonic() - started >= length * share,
	};
}

/**
 * Whether n8n's durable scheduler runs this poll. It backs off by itself after an error; the classic
 * engine writes an execution for each one, as often as it polls.
 */
export function isDurable(context: IPollFunctions): boolean {
	const offered = offeredMs(context);
	return offered !== undefined && offered !== CLASSIC_BUDGET_MS;
}

const activated = new WeakSet<object>();

/**
 * Whether this poll is the one with which n8n activates the workflow. The classic engine keeps one
 * context for the life of an activation; the durable scheduler makes one for each poll.
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
