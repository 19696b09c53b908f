/** Tested by test/engine/trigger/state.test.ts and failureReporting.test.ts. */
import {
	type INodeExecutionData,
	type INodeProperties,
	type IPollFunctions,
	updateDisplayOptions,
} from 'n8n-workflow';

import { defineChoiceField } from '../form/declarations';
import { Input } from '../form/input';
import { Client } from '../transport/client';
import { clock } from '../transport/clock';
import { toFailure, Failure, settle, toNodeError } from '../transport/failure';
import { forgetReadings, SharedReadings } from '../transport/sharing';
import { formatSeconds } from '../transport/text';
import { auditEvent } from './auditEvent';
import { type Budget, DAY, HOUR, toScope, type TriggerState } from './core/cursor';
import { runExceededCost, taskRunExceededCost } from './runs/costEvent';
import { runExceededDuration, taskRunExceededDuration } from './runs/durationEvent';
import type { TriggerEvent } from './event';
import { runStatusChanged, taskRunStateChanged } from './runs/runEvents';
import { forgetEndedRuns } from './runs/endedRuns';
import { forgetUsual } from './runs/usual';
import { tableChanged } from './tableEvent';

/** The events by the values of the 'event' parameter, in the order of their names. */
export const events: Record<string, TriggerEvent> = {
	auditEvent,
	runExceededCost,
	runExceededDuration,
	runStatusChanged,
	tableChanged,
	taskRunExceededCost,
	taskRunExceededDuration,
	taskRunStateChanged,
};

const entries = Object.entries(events);

export const eventField = defineChoiceField({
	displayName: 'Event',
	name: 'event',
	noDataExpression: true,
	options: Object.fromEntries(
		entries.map(([value, { name, description }]) => [value, [name, description] as const]),
	),
	default: 'runStatusChanged',
});

/** The form of the trigger. n8n puts 'Poll Times' before it. */
export const properties: INodeProperties[] = [
	eventField,
	...entries.flatMap(([event, { fields }]) =>
		updateDisplayOptions({ show: { event: [event] } }, fields),
	),
];

/** "Job run status changed" and so on. */
const sentences = entries.map(([event, { name }]) => [
	event,
	name[0] + name.slice(1).toLowerCase(),
]);

/** The line under the node's name. The editor evaluates it as an expression. */
export const subtitle = `={{ (${JSON.stringify(Object.fromEntries(sentences))})[$parameter["event"]] }}`;

/** The key of the trigger's state in n8n's static data of the node. */
const STATE = 'state';

/** Items of a manual test. */
const SAMPLES = 5;

/** How far a manual test looks back; the audit log keeps events for 90 days. */
const LOOK_BACK = [HOUR, DAY, 30 * DAY, 89 * DAY];

/** Longer polls would overlap with the next one: n8n polls at most once a minute. */
const LONGEST_MS = 45_000;

/** The share of the time in which responses have to arrive (the rest is for returning the items), and of that in which requests are sent. */
const SHARE = 0.8;
const SENDING = 2 / 3;

/** The budget of n8n's classic engine, which does not end polls itself. */
const CLASSIC_BUDGET_MS = 300_000;

/** By then an overlapping poll has ended, and n8n has stored the items of the first one. */
const STORED_AFTER_MS = 45_000;

/** The log says that the rate is short when a poll has waited for so long, in milliseconds. */
const LONG_WAIT_MS = 10_000;

/** How often the same failure is reported, and a short rate. */
const REPORT_EVERY_MS = 3_600_000;

/** Maximum number of triggers that a process remembers; the least recently used ones are forgotten. */
const MAX_NODES = 5_000;

/**
 * What this process knows about one trigger beyond its stored state. It covers what n8n does not
 * store; after a restart, the trigger is correct without it.
 */
interface ProcessMemory {
	/**
	 * The state after a first poll. n8n's durable scheduler does not store it when the poll found no
	 * items, which would leave a gap until the first scheduled poll.
	 */
	baseline?: TriggerState;
	/** The state from which the last items were found, and when they were returned (ms since the epoch). */
	lastEmitted?: { from: string; at: number };
	/** By when a poll that is in progress will be over, by `clock.monotonic`. */
	busyUntil?: number;
	/** Whose key it uses. */
	account?: string;
	/** When the last poll was over, by `clock.monotonic`: what was read by then is no news. */
	polledAt?: number;
	/** The last reported failure, and when (ms since the epoch). */
	failure?: { key: string; reportedAt: number };
}

const memories = new Map<string, ProcessMemory>();

/** When the log last said that the rate is short, by `clock.monotonic`. */
let warnedAt = -Infinity;

/** The contexts whose first poll has been made. */
const activated = new WeakSet<object>();

interface PollTime {
	/** When the poll has to be over, by `clock.monotonic`. */
	deadline: number;
	budgetFor(client: Client): Budget;
}

/**
 * One poll of the trigger: the new items, or null when there are none.
 *
 * The state is written once, at the very end: a poll that fails, or that n8n abandons, leaves it
 * unchanged.
 */
export async function poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const time = computePollTime(this);
	if (this.getMode() === 'manual') {
		const tried = await settle(fetchSample(this, time));
		if (tried.ok) return [tried.value];
		throw toNodeError(this.getNode(), toFailure(tried.error));
	}

	const memory = getMemory(`${this.getWorkflow().id}:${this.getNode().id}`);
	const isFirst = this.getWorkflowStaticData('node')[STATE] === undefined;
	const activation = !isActivation(this) ? 'none' : isFirst ? 'first' : 'again';
	// The first scheduled poll can come while the activation's is in progress, and would only read the same.
	if (activation === 'none' && clock.monotonic() < (memory.busyUntil ?? 0)) return null;
	memory.busyUntil = time.deadline;
	const done = await settle(pollOnce(this, memory, time));
	memory.busyUntil = undefined;
	memory.polledAt = clock.monotonic();
	if (!done.ok) {
		const failure = toFailure(done.error);
		if (isReportDue(this, memory, failure, activation)) throw toNodeError(this.getNode(), failure);
		log(this, 'warn', `${failure.message}. The next poll tries again.`);
		return null;
	}
	memory.failure = undefined;
	return done.value.length > 0 ? [done.value] : null;
}

/** Forgets everything that the process remembers, as a restart of n8n does. */
export function forgetAll(): void {
	memories.clear();
	warnedAt = -Infinity;
	forgetReadings();
	forgetUsual();
	forgetEndedRuns();
}

/** The memory of a trigger, by the ids of its workflow and node. */
function getMemory(key: string): ProcessMemory {
	const memory = memories.get(key) ?? {};
	memories.delete(key);
	memories.set(key, memory);
	if (memories.size > MAX_NODES) memories.delete([...memories.keys()][0]);
	return memory;
}

/** The event that is chosen, with its settings. */
function readSettings(context: IPollFunctions) {
	const input = new Input(context);
	const event = input.choice(eventField);
	const { record, read } = events[event];
	return { event, record, configured: read(input) };
}

/**
 * The items of a manual test: the newest real records of the shortest range that has any. It neither
 * reads nor changes the state of the active workflow.
 */
async function fetchSample(context: IPollFunctions, time: PollTime): Promise<INodeExecutionData[]> {
	const client = await Client.create(context, time.deadline);
	const { record, configured } = readSettings(context);
	const budget = time.budgetFor(client);
	let seen: string[] = [];
	for (const back of LOOK_BACK) {
		if (budget.spent()) break;
		const since = Math.floor(client.serviceNow()) * 1000 - back;
		const start = { scope: '', since, limit: SAMPLES };
		const { items, others = [] } = await configured.poll(client, start, budget);
		if (items.length > 0) return items;
		seen = others;
	}
	throw new Failure({
		message: `There is no ${record} to test with yet`,
		isInput: true,
		description: `No ${record} from the last 89 days matches the settings of this node. ${seen.length > 0 ? `Found instead: ${seen.join(', ')}. ` : ''}Widen its filters, or try again once there is one. Once the workflow is published (n8n 1: active), the next matching ${record} starts it.`,
	});
}

async function pollOnce(
	context: IPollFunctions,
	memory: ProcessMemory,
	time: PollTime,
): Promise<INodeExecutionData[]> {
	const { event, configured } = readSettings(context);
	const data = context.getWorkflowStaticData('node');
	const before = JSON.stringify(data[STATE]);
	const began = clock.monotonic();
	const own = await Client.create(context, time.deadline);
	memory.account = own.account;
	const scope = toScope({ event, baseUrl: own.baseUrl, ...configured.scope });
	// A copy, because what n8n hands out may be an observed object, which is slow.
	const stored = before === undefined ? memory.baseline : (JSON.parse(before) as TriggerState);
	const state = stored?.scope === scope ? stored : undefined;
	if (stored && !state) {
		const note =
			'its settings have changed what it watches: it starts over, and ignores earlier events.';
		log(context, 'info', note);
	}
	const start = { scope, state, limit: Infinity };
	// A first poll tells what was there when it began.
	const isFirst = !state || ('began' in state && state.began !== undefined);
	const { polledAt } = memory;
	// Between two polls of the durable scheduler, another process may have polled.
	const isStart = polledAt === undefined && !isDurable(context);
	const client = own.sharing(new SharedReadings(isFirst ? began : (polledAt ?? 0), isStart));
	const budget = time.budgetFor(client);
	const { items, state: next, notes } = await configured.poll(client, start, budget);
	for (const note of notes) log(context, 'warn', note);
	// Requests wait in parallel, so the sum can exceed the poll.
	logWait(context, client.account, Math.min(client.waitedMs, clock.monotonic() - began));

	if (hasEmitted(memory, before)) {
		log(context, 'info', 'another poll finished first; the results of this one are dropped.');
		return [];
	}
	if (items.length > 0) memory.lastEmitted = { from: before ?? '', at: clock.now() };
	memory.baseline = before === undefined ? next : undefined;
	if (JSON.stringify(next) !== before) data[STATE] = next as never;
	return items;
}

/**
 * Whether another poll has just returned the items found from this state. Polls can overlap: the
 * classic engine starts each on time, and the durable one repeats a poll that a crash interrupted
 * alongside the next one, both with the old state. Items that the other one fails to store are found
 * again.
 */
function hasEmitted({ lastEmitted }: ProcessMemory, state = ''): boolean {
	if (lastEmitted?.from !== state) return false;
	return Math.abs(clock.now() - lastEmitted.at) < STORED_AFTER_MS;
}

function log(context: IPollFunctions, level: 'info' | 'warn', text: string): void {
	context.logger[level](`Wherobots Trigger: ${text}`);
}

/** Says in the log, once an hour for all triggers, that the rate limit delays them. */
function logWait(context: IPollFunctions, own: string, waitedMs: number): void {
	const now = clock.monotonic();
	if (waitedMs < LONG_WAIT_MS || now - warnedAt < REPORT_EVERY_MS) return;
	warnedAt = now;
	const count = [...memories.values()].filter(({ account }) => account === own).length;
	const text = `This poll waited ${formatSeconds(waitedMs)} for the rate limit, which executions and triggers with this key share (${count} triggers so far): events come later.`;
	log(context, 'warn', text);
}

/** How long this poll may take. n8n has `getPollBudgetMs` since 2.38. */
function computePollTime(context: IPollFunctions): PollTime {
	const offered = getOfferedMs(context) ?? Infinity;
	const started = clock.monotonic();
	const length = Math.min(offered, LONGEST_MS) * SHARE;
	return {
		deadline: started + length,
		budgetFor: (client) => ({
			spent: (share = 1) => {
				const passed = clock.monotonic() - started;
				const sending = length * SENDING;
				return passed >= sending || passed - client.waitedMs >= sending * share;
			},
		}),
	};
}

/**
 * Whether n8n's durable scheduler runs this poll. It backs off after an error, whereas the classic
 * engine adds an execution for each failed poll.
 */
function isDurable(context: IPollFunctions): boolean {
	const offered = getOfferedMs(context);
	return offered !== undefined && offered !== CLASSIC_BUDGET_MS;
}

/**
 * Whether this poll activates the workflow. The classic engine keeps one context per activation; the
 * durable scheduler creates one per poll.
 */
function isActivation(context: IPollFunctions): boolean {
	if (isDurable(context) || activated.has(context)) return false;
	activated.add(context);
	return true;
}

function getOfferedMs(context: IPollFunctions): number | undefined {
	const { getPollBudgetMs } = context as Partial<IPollFunctions>;
	return typeof getPollBudgetMs === 'function' ? context.getPollBudgetMs() : undefined;
}

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
function isReportDue(
	context: IPollFunctions,
	memory: ProcessMemory,
	failure: Failure,
	activation: 'none' | 'first' | 'again',
): boolean {
	if (activation === 'again' && isOutage(failure)) return false;
	if (isDurable(context)) return true;

	const now = clock.now();
	// Without parts that vary, such as request IDs.
	const key = JSON.stringify([failure.httpCode, failure.message]);
	const last = memory.failure;
	const elapsed = last ? now - last.reportedAt : Infinity;
	if (activation === 'none' && last?.key === key && elapsed >= 0 && elapsed < REPORT_EVERY_MS)
		return false;
	memory.failure = { key, reportedAt: now };
	return true;
}

/** Whether a failure is temporary: no response, overload, failures of the service. */
function isOutage({ httpCode, parts }: Failure): boolean {
	if (parts.isInput || parts.addressAtFault) return false;
	return httpCode === undefined || httpCode === '429' || httpCode.startsWith('5');
}
