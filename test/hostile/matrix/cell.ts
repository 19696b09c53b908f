/** One use under one fault, in a sandbox and a time of its own. */
import { setTimeout as sleep } from 'node:timers/promises';

import {
	ManualClock,
	observeExchanges,
	startSandbox,
	type EndpointId,
	type Exchange,
	type Sandbox,
} from '../../sandbox';
import type { MatrixFault } from './faults';
import { inOwnTime } from './ownTime';
import type { Subject, Used } from './subjects';

export const START = Date.parse('2026-11-21T12:00:00Z');

/** A use that waits longer hangs, in milliseconds. */
const LONGEST_MS = { quick: 30_000, slow: 120_000 };

const TICK_MS = 50;

/**
 * Waits in ticks of this process, so that waiting for the processor does not count: a tick that is
 * late on a busy machine is still one tick, for the use as well.
 */
async function ownWait(ms: number, ended: AbortController): Promise<{ hung?: true }> {
	for (let left = ms; left > 0; left -= TICK_MS) {
		await sleep(TICK_MS);
		if (ended.signal.aborted) return {};
	}
	return { hung: true };
}

/** What there is to judge. */
export interface Observed {
	used: Used;
	/** Requests and real responses, those before and after the trouble too. */
	exchanges: Exchange[];
	/** How many of them it hit. */
	hits: number;
	/** The use did not end. */
	hung: boolean;
	/** It threw what n8n would not have caught. */
	crash?: unknown;
}

/** Where uses take place. */
export interface Home {
	sandbox: Sandbox;
	clock: ManualClock;
	/** Requests and real responses since the last use began. */
	exchanges: Exchange[];
}

const homes = new Set<Home>();

/** Tells each home its own exchanges, though all sandboxes report to one place. */
export function watchExchanges(): () => void {
	return observeExchanges((exchange) => {
		const host = String(exchange.request.headers.host);
		for (const { sandbox, exchanges } of homes) {
			if (sandbox.baseUrl.endsWith(host)) exchanges.push(exchange);
		}
	});
}

/** A home of its own, for as long as `work` takes. */
export async function inHome<T>({ kind }: Subject, work: (home: Home) => Promise<T>): Promise<T> {
	// What the demo data have going on has come to its end when a use begins.
	const clock = new ManualClock(START - 36 * 3_600_000);
	const seed = kind === 'trigger' ? 'empty' : 'demo';
	const home: Home = { clock, sandbox: await startSandbox({ clock, seed }), exchanges: [] };
	clock.set(START);
	homes.add(home);
	try {
		return await work(home);
	} finally {
		homes.delete(home);
		await home.sandbox.stop();
	}
}

/** Uses the subject, with the fault at the endpoint if there is one. @param elsewhere where redirects lead */
export async function observe(
	subject: Subject,
	{ sandbox, clock, exchanges }: Home,
	elsewhere: string,
	trouble?: { fault: MatrixFault; endpoint: EndpointId },
): Promise<Observed> {
	exchanges.length = 0;
	sandbox.requests.clear();
	if (!subject.isWrite) clock.set(START);
	const time = { clock, offsetMs: 0 };
	const { fault, endpoint } = trouble ?? {};
	let handle: { hits: number; remove(): void } | undefined;
	let also: { remove(): void } | undefined;
	const begin = () => {
		if (!fault) return;
		also = fault.also && sandbox.faults.add(fault.also);
		time.offsetMs = fault.clockOffsetMs ?? 0;
		handle = sandbox.faults.add({
			endpoint,
			times: fault.times,
			fault: fault.fault({ elsewhere, secret: sandbox.credentials.admin.apiKey }),
		});
	};
	const end = () => {
		handle?.remove();
		also?.remove();
		time.offsetMs = 0;
	};

	const ended = new AbortController();
	const outcome = await Promise.race([
		inOwnTime(time, async () => await subject.use(sandbox, { begin, end })).then(
			(used) => ({ used }),
			(crash: unknown) => ({ crash }),
		),
		ownWait(LONGEST_MS[fault?.slow ? 'slow' : 'quick'], ended),
	]);
	ended.abort();
	end();
	return {
		used: { items: [], errors: [], leftovers: '' },
		exchanges: [...exchanges],
		hits: handle?.hits ?? 0,
		hung: false,
		...outcome,
	};
}
