import type { INodeExecutionData, INodeProperties } from 'n8n-workflow';

import type { Input } from '../form/input';
import type { Micros } from '../service/time';
import type { Client } from '../transport/client';
import { clock } from '../transport/clock';
import { type Budget, DAY, type Source, type TriggerState } from './core/cursor';

/** What a poll continues from. */
export interface PollStart {
	/** What is polled, as a digest. */
	scope: string;
	/** Of the last poll of this scope, as the event returned it. */
	state?: TriggerState;
	/** Instead of a state, for a manual test: everything since this time is new. */
	since?: Micros;
	/** How many of the newest items are wanted: only a few for a manual test. */
	limit: number;
}

interface PollResult {
	items: INodeExecutionData[];
	state: TriggerState;
	/** Notes for n8n's log. */
	notes: string[];
	/** The actions or statuses of what was found, also of what the settings leave out. */
	others?: string[];
}

/** One event of the trigger: its entry in the Event list, its fields, and what it watches. */
export interface TriggerEvent {
	name: string;
	description: string;
	/** What the event is about: `job run` */
	record: string;
	/** Without the display options for the event: the table adds them. */
	fields: INodeProperties[];
	/** Reads the settings. Throws a Failure that names the field. */
	read(input: Input): ConfiguredEvent;
}

/** An event with the settings of a node. */
export interface ConfiguredEvent {
	/** The settings that a state belongs to: without those that only select or shape the output. */
	scope: Record<string, string | undefined>;
	/** What happened since a state, and the state after it. */
	poll(client: Client, start: PollStart, budget: Budget): Promise<PollResult>;
}

/** The time by which an event polls. */
export function createTimeSource(client: Client): Source {
	const own = () => Math.floor(clock.now()) * 1000;
	const told = () => Math.floor(client.serviceNow()) * 1000;
	const isClockSure = () => client.knowsServiceTime && Math.abs(told() - own()) <= DAY;
	return { now: () => (isClockSure() ? told() : own()), isClockSure };
}
