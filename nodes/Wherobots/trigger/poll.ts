import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { readSecret } from '../service/secret';
import { Client, CREDENTIAL } from '../transport/client';
import { clock } from '../transport/clock';
import { toResult } from '../transport/toResult';
import { isActivation, pollTime, type PollTime } from './pollBudget';
import { processMemoryOf, type ProcessMemory } from './processMemory';
import { sample } from './sample';
import { readSettings, type Settings } from './settings';
import { digest } from './core/ids';
import { readState, scopeOf, type Doubt, type TriggerState } from './core/state';
import { mustReport, mustWait } from './failureReporting';
import { pollService } from './pollService';

/** The key of the trigger's state in n8n's static data of the node. */
const STATE = 'state';

/**
 * One poll of the trigger: the new items, or null when there are none.
 *
 * The state is written once, at the very end: a poll that fails, or that n8n abandons, leaves it
 * unchanged.
 */
export async function poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const time = pollTime(this);
	if (this.getMode() === 'manual') {
		const client = await Client.create(this, time.deadline);
		return [await sample(this, client, readSettings(this), time)];
	}

	const memory = processMemoryOf(`${this.getWorkflow().id}:${this.getNode().id}`);
	const isActivating = isActivation(this);
	if (!isActivating && mustWait(memory)) return null;

	const isFirst = isActivating && this.getWorkflowStaticData('node')[STATE] === undefined;
	const done = await toResult(pollOnce(this, memory, time));
	if (!done.ok) {
		const activation = isFirst ? 'first' : isActivating ? 'again' : 'none';
		if (mustReport(this, memory, done.error, activation)) throw done.error;
		this.logger.warn(
			`Wherobots Trigger: ${(done.error as Error).message}. The next poll tries again.`,
		);
		return null;
	}
	memory.failure = undefined;
	memory.notBefore = undefined;
	return done.value.length > 0 ? [done.value] : null;
}

async function pollOnce(
	context: IPollFunctions,
	memory: ProcessMemory,
	time: PollTime,
): Promise<INodeExecutionData[]> {
	const settings = readSettings(context);
	const data = context.getWorkflowStaticData('node');
	const before = JSON.stringify(data[STATE]);
	if (wasHandedOver(memory, before)) return dropResults(context);
	const client = await Client.create(context, time.deadline);
	const scope = scopeOf(scopeParts(settings, client.baseUrl));
	const state = usableState(context, data[STATE] ?? memory.baseline, scope);
	const credential = await credentialDigest(context);
	const start = { scope, state, doubt: doubtOf(state, credential) };
	const { items, state: after, notes } = await pollService(client, settings, start, time);
	const next = after.doubt ? after : { ...after, credential };
	for (const note of notes) context.logger.warn(`Wherobots Trigger: ${note}`);

	if (JSON.stringify(data[STATE]) !== before || wasHandedOver(memory, before)) {
		return dropResults(context);
	}
	if (items.length > 0) memory.handedOver = { from: before ?? '', at: clock.now() };
	memory.baseline = before === undefined ? next : undefined;
	if (JSON.stringify(next) !== before) data[STATE] = next as never;
	return items;
}

/** What to check about a credential that differs from that of the state. */
function doubtOf(state: TriggerState | undefined, credential: string): Doubt | undefined {
	if (state?.credential === undefined || state.credential === credential) return undefined;
	return state.doubt?.credential === credential ? state.doubt : { credential, asked: 0 };
}

/** Identifies a credential without storing its secret. */
async function credentialDigest(context: IPollFunctions): Promise<string> {
	const secret = readSecret(await context.getCredentials(CREDENTIAL));
	return digest(secret.ok ? secret.value : '', 12);
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

function dropResults(context: IPollFunctions): INodeExecutionData[] {
	context.logger.info(
		'Wherobots Trigger: another poll finished first; the results of this one are dropped.',
	);
	return [];
}

/** The settings that a state belongs to, without those that only select or shape the output. */
function scopeParts(settings: Settings, baseUrl: string): Record<string, string | undefined> {
	return settings.event === 'auditEvent'
		? { event: settings.event, baseUrl, searchTerm: settings.searchTerm }
		: { event: settings.event, baseUrl, ...settings.filter };
}

/** The state to continue from; undefined for a first poll. */
function usableState(
	context: IPollFunctions,
	stored: unknown,
	scope: string,
): TriggerState | undefined {
	const read = readState(stored);
	if (read.kind === 'none') return undefined;
	if (read.kind === 'broken') {
		context.logger.warn(
			`Wherobots Trigger: the saved state is not usable (${read.problem}); starting over from now.`,
		);
		return undefined;
	}
	if (read.state.scope === scope) return read.state;
	context.logger.info(
		'Wherobots Trigger: its settings watch something else now; starting over from now.',
	);
	return undefined;
}
