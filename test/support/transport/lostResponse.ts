import type { INode, NodeApiError } from 'n8n-workflow';

import type { Client } from '../../../nodes/Wherobots/transport/client';
import { CancelledError, clock } from '../../../nodes/Wherobots/transport/clock';
import { forgetIdentities } from '../../../nodes/Wherobots/transport/creation/identity';
import { createOnce, type Search } from '../../../nodes/Wherobots/transport/creation/lostResponse';
import {
	explanationOf,
	factsOf,
	toNodeApiError,
} from '../../../nodes/Wherobots/transport/failures/errors';

/** When each test begins, by the clock of the service. */
export const START = Date.parse('2026-11-21T12:00:00Z');
const ME = { id: 'me' };

export interface Thing {
	id: string;
	/** Milliseconds after the request was sent; null where the service does not say it. */
	at?: number | null;
	by?: object | null;
	agrees?: boolean;
	isWhole?: boolean;
}

export const failure = (ambiguous: boolean) =>
	toNodeApiError({} as INode, { message: 'Lost', description: 'Gone', ambiguous });

export interface Setting {
	/** What the list shows at each look, the last one again and again. */
	lists?: Array<Thing[] | Error>;
	canAdopt?: boolean;
	hasCreator?: boolean;
	knowsTime?: boolean;
	signal?: AbortSignal;
	baseUrl?: string;
	/** Milliseconds for which the request waits before it is sent. */
	waitsMs?: number;
}

/** Creates things in a time in which nothing happens but what is waited for. */
export function suiteOfCreations() {
	const real = { ...clock };
	const pauses: number[] = [];
	let elapsed = 0;
	/** What one test creates must not be known to the next. */
	let address = 0;

	beforeEach(() => {
		forgetIdentities();
		pauses.length = 0;
		elapsed = 0;
		address += 1;
		clock.monotonic = () => elapsed;
		clock.pause = async (ms, signal) => {
			if (signal?.aborted) throw new CancelledError();
			pauses.push(ms);
			elapsed += ms;
			await Promise.resolve();
		};
	});

	afterEach(() => Object.assign(clock, real));

	/** Creates a thing with a request that ends like this a second after it is sent. */
	function creating(
		outcome: Thing | Error,
		{
			lists = [[]],
			canAdopt = true,
			hasCreator = true,
			knowsTime = true,
			signal,
			baseUrl = `https://${address}`,
			waitsMs = 0,
		}: Setting = {},
	) {
		let looks = 0;
		const sinces: Array<number | undefined> = [];
		const client = {
			baseUrl,
			account: `${address}`,
			signal,
			knowsServiceTime: knowsTime,
			serviceNow: () => START + elapsed,
			call: async () => await Promise.resolve(ME),
			evenWhenCancelled: () => client,
		} as unknown as Client;
		const search: Search<Thing> = {
			kind: 'thing',
			canAdopt,
			list: async (_, since) => {
				sinces.push(since);
				const list = lists[Math.min(looks++, lists.length - 1)];
				return await (list instanceof Error ? Promise.reject(list) : Promise.resolve(list));
			},
			createdAt: ({ at = 0 }) => (at === null ? undefined : new Date(START + at).toISOString()),
			...(hasCreator ? { creatorOf: ({ by = ME }: Thing) => by } : {}),
			compare: async (__, record) =>
				await Promise.resolve(
					record.agrees === false ? undefined : { record, isWhole: record.isWhole ?? true },
				),
			facts: ({ id }) => ({ id }),
		};
		const send = async (onSend: () => void) => {
			elapsed += waitsMs;
			onSend();
			elapsed += 1_000;
			return await (outcome instanceof Error ? Promise.reject(outcome) : Promise.resolve(outcome));
		};
		const onLost = jest.fn();
		return { done: createOnce(client, send, search, onLost), onLost, sinces, client, search };
	}

	async function failing(setting: Setting) {
		const error = (await creating(failure(true), setting).done.catch(
			(reason: unknown) => reason,
		)) as NodeApiError;
		return { note: explanationOf(error).split('\n').at(-1), candidates: factsOf(error).candidates };
	}

	/** Goes back to the time at which the test began. */
	const rewind = () => void (elapsed = 0);

	return { creating, failing, pauses, rewind };
}
