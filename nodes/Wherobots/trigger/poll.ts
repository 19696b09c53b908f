import { NodeOperationError, type INodeExecutionData, type IPollFunctions } from 'n8n-workflow';

import { Input } from '../parameters/input';
import { Client } from '../transport/client';
import { clock } from '../transport/clock';
import { toResult } from '../transport/toResult';
import { readState, scopeOf, type TriggerState } from './core/state';
import { DAY, HOUR } from './core/watermark';
import { eventField, events } from './events';
import { mustReport } from './failureReporting';
import { isActivation, pollTime, type PollTime } from './pollBudget';
import { processMemoryOf, type ProcessMemory } from './processMemory';

/** The key of the trigger's state in n8n's static data of the node. */
const STATE = 'state';

/** Items of a manual test. */
const SAMPLES = 5;

/** How far a manual test looks back; the audit log keeps events for 90 days. */
const LOOK_BACK = [HOUR, DAY, 30 * DAY, 89 * DAY];

/**
 * One poll of the trigger: the new items, or null when there are none.
 *
 * The state is written once, at the very end: a poll that fails, or that n8n abandons, leaves it
 * unchanged.
 */
export async function poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const time = pollTime(this);
	if (this.getMode() === 'manual') return [await sample(this, time)];

	const memory = processMemoryOf(`${this.getWorkflow().id}:${this.getNode().id}`);
	const isFirst = this.getWorkflowStaticData('node')[STATE] === undefined;
	const activation = !isActivation(this) ? 'none' : isFirst ? 'first' : 'again';
	const done = await toResult(pollOnce(this, memory, time));
	if (!done.ok) {
		if (mustReport(this, memory, done.error, activation)) throw done.error;
		log(this, 'warn', `${(done.error as Error).message}. The next poll tries again.`);
		return null;
	}
	memory.failure = undefined;
	return done.value.length > 0 ? [done.value] : null;
}

/** The event that is chosen, with its settings. */
function readSettings(context: IPollFunctions) {
	const input = new Input(context);
	const event = input.choice(eventField);
	const { record, read } = events[event];
	return { event, record, watch: read(input) };
}

/**
 * The items of a manual test: the newest real records of the shortest range that has any. It neither
 * reads nor changes the state of the active workflow.
 */
async function sample(context: IPollFunctions, time: PollTime): Promise<INodeExecutionData[]> {
	const client = await Client.create(context, time.deadline);
	const { record, watch } = readSettings(context);
	for (const back of LOOK_BACK) {
		if (time.spent()) break;
		const since = Math.floor(client.serviceNow()) * 1000 - back;
		const { items } = await watch.poll(client, { scope: '', since, most: SAMPLES }, time);
		if (items.length > 0) return items;
	}
	throw new NodeOperationError(context.getNode(), `There is no ${record} to test with yet`, {
		description: `No ${record} from the last 89 days matches the settings of this node. Widen its filters, or try again once there is one. Once published, the workflow starts with the next one (n8n 1: once active).`,
	});
}

async function pollOnce(
	context: IPollFunctions,
	memory: ProcessMemory,
	time: PollTime,
): Promise<INodeExecutionData[]> {
	const { event, watch } = readSettings(context);
	const data = context.getWorkflowStaticData('node');
	const before = JSON.stringify(data[STATE]);
	if (wasHandedOver(memory, before)) return [];
	const client = await Client.create(context, time.deadline);
	const scope = scopeOf({ event, baseUrl: client.baseUrl, ...watch.scope });
	// A copy, because what n8n hands out may be an observed object, which is slow.
	const stored = before === undefined ? memory.baseline : (JSON.parse(before) as unknown);
	const state = usableState(context, stored, scope);
	const start = { scope, state, most: Infinity };
	const { items, state: next, notes } = await watch.poll(client, start, time);
	for (const note of notes) log(context, 'warn', note);

	if (JSON.stringify(data[STATE]) !== before || wasHandedOver(memory, before)) {
		log(context, 'info', 'another poll finished first; the results of this one are dropped.');
		return [];
	}
	if (items.length > 0) memory.handedOver = { from: before ?? '', at: clock.now() };
	memory.baseline = before === undefined ? next : undefined;
	if (JSON.stringify(next) !== before) data[STATE] = next as never;
	return items;
}

/** By then an overlapping poll has ended, and n8n has stored the items of the first one. */
const STORED_AFTER_MS = 45_000;

/**
 * Whether another poll has just returned the items found from this state. Polls can overlap: the
 * classic engine starts each on time, and the durable one repeats a poll that a crash interrupted
 * alongside the next one, both with the old state. Items that the other one fails to store are found
 * again.
 */
function wasHandedOver({ handedOver }: ProcessMemory, state = ''): boolean {
	if (handedOver?.from !== state) return false;
	return Math.abs(clock.now() - handedOver.at) < STORED_AFTER_MS;
}

/** The state to continue from; undefined for a first poll. */
function usableState(
	context: IPollFunctions,
	stored: unknown,
	scope: string,
): TriggerState | undefined {
	const read = readState(stored);
	if (read.kind === 'state' && read.state.scope === scope) return read.state;
	if (read.kind === 'broken') {
		const why = `the saved state is not usable (${read.problem})`;
		log(context, 'warn', `${why}; starting over from now.`);
	} else if (read.kind === 'state') {
		log(context, 'info', 'its settings watch something else now; starting over from now.');
	}
	return undefined;
}

function log(context: IPollFunctions, level: 'info' | 'warn', text: string): void {
	context.logger[level](`Wherobots Trigger: ${text}`);
}
