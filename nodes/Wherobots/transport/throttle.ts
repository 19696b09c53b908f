import { CancelledError, clock } from './clock';
import { type Attempt, computeRefusalDelay, RETRY_LIMITS, parseWait } from './retry';

/**
 * The service's published rate: 100 requests in 5 seconds (interface, "Limits"). The window is
 * slightly longer, because two machines' clocks run at different speeds (up to 0.2 % is covered) and
 * timers may fire early.
 */
export const RATE_LIMIT = { requests: 100, windowMs: 5_000, marginMs: 10 };

/** Longest time without any request after a 429, in milliseconds. */
const MAX_HOLD_MS = RETRY_LIMITS.withinMs;

/** After a 429, a response that takes longer than this does not keep the next request waiting, in milliseconds. */
const SLOW_RESPONSE_MS = 1_000;

/**
 * What leaves room for other processes: a refused process keeps this part of the slots that it uses, but
 * at least so many, and uses each a little later, in milliseconds, until it has taken all back. Without
 * it, the process that has the slots takes each one at the moment at which it is free, and the others
 * find none for more than a minute: they guess when to come, or come late by a wait in whole seconds.
 */
const SHARING = { kept: 0.6, least: 10, spreadMs: 750 };

/** How many slots it takes back in each window: fewer if the service does not say for how long it refuses. */
const REGAINED = { told: 50, untold: 20 };

/** The part of the slots that polls leave for executions, as long as they let those go first. */
const RESERVED = 0.1;

/** A slot in the window for one attempt at a request. */
export interface Slot {
	/**
	 * To be called once, when the attempt is over.
	 *
	 * @param result what came of it; undefined when it was not made
	 * @returns after a 429 how long all requests wait, in milliseconds
	 */
	end(result?: Attempt | { kind: 'json' | 'stream' | 'redirect' }): number | undefined;
}

/** A slot, or none in time. `retryAfterMs`: the wait that the service requested, if that is why. */
interface Admission {
	slot?: Slot;
	retryAfterMs?: number;
}

interface Waiting {
	/** When it first asked for a slot, by `clock.monotonic`: a refused request goes before younger ones. */
	since: number;
	/** When a slot is of no use anymore, by `clock.monotonic`. */
	deadline: number;
	signal?: AbortSignal;
	resolve(admission: Admission): void;
	reject(error: CancelledError): void;
}

/**
 * Lets at most `requests` reach the service in any `windowMs`, first come, first served.
 *
 * The service receives a request at an unknown time between its sending and the response. So a slot
 * is free again one window after the response: the service then receives the two requests at least one
 * window apart, however long either takes.
 *
 * Other processes may use the same credential, so the service may still refuse requests. A 429 holds
 * all requests back for a while. Then they restart one at a time, and each accepted one allows one
 * more in flight: a service that also counts refused requests would otherwise refuse each burst
 * because of the previous one.
 */
export class Throttle {
	/** Requests that were sent and have no response yet. */
	private inFlight = 0;

	/** After a 429: how many of the requests sent since its hold may be in flight, and how many are. */
	private maxSinceHold = Infinity;

	private sinceHold = 0;

	private sentAt = -Infinity;

	/** How many slots this process uses: fewer than there are while it leaves room for others. */
	private slots: number;

	private regained = REGAINED.untold;

	/** When the slots of completed requests are free again, in order, in monotonic milliseconds. */
	private readonly freeAt: number[] = [];

	/** Requests without a slot, the first come first. */
	private queue: Waiting[] = [];

	/** Ends the pause until the next time at which a request may get its slot or has to give up. */
	private alarm = new AbortController();

	/** Until when no request is sent because of a 429, and until when the service asked for that. */
	private heldUntil = -Infinity;

	private askedUntil = -Infinity;

	/** How many times in a row requests were refused after a hold. */
	private refusals = 0;

	/** Where the current hold lies in its range, from 0 to 1: the same for all requests of a burst. */
	private jitter = 0;

	constructor(
		private readonly requests: number = RATE_LIMIT.requests,
		private readonly windowMs: number = RATE_LIMIT.windowMs + RATE_LIMIT.marginMs,
	) {
		this.slots = requests;
	}

	/** Whether the throttle can be dropped: it is not in use, and holds nothing back. */
	get isIdle(): boolean {
		this.forgetFreeSlots();
		const isUsed = this.queue.length + this.inFlight + this.freeAt.length > 0;
		return !isUsed && clock.monotonic() >= this.heldUntil;
	}

	/** Whether more requests wait than one window has room for: another one would wait for the next. */
	get isCrowded(): boolean {
		return this.queue.length >= this.requests;
	}

	/**
	 * Waits for a free slot in the window.
	 *
	 * @throws CancelledError when `signal` is aborted first
	 */
	async acquire({
		since = clock.monotonic(),
		deadline = Infinity,
		signal,
	}: Partial<Pick<Waiting, 'since' | 'deadline' | 'signal'>> = {}): Promise<Admission> {
		const serve = () => this.serve();
		signal?.addEventListener('abort', serve);
		const admission = await new Promise<Admission>((resolve, reject) => {
			const place = this.queue.findLastIndex((each) => each.since <= since) + 1;
			this.queue.splice(place, 0, { since, deadline, signal, resolve, reject });
			this.serve();
		}).finally(() => signal?.removeEventListener('abort', serve));
		// Aborted or too late as it got its slot.
		const isLate = clock.monotonic() >= deadline;
		if (isLate || signal?.aborted) admission.slot?.end();
		if (signal?.aborted) throw new CancelledError();
		return isLate ? { retryAfterMs: admission.retryAfterMs } : admission;
	}

	/** Gives out free slots, ends waits that are over, and sets the alarm for the next time. */
	private serve(): void {
		this.queue = this.queue.filter((each) => !this.dismiss(each));
		let waitMs = this.waitMs();
		for (; this.queue.length > 0 && waitMs === 0; waitMs = this.waitMs()) {
			this.queue.shift()?.resolve({ slot: this.take() });
		}
		// The stack of the usual reason would keep this request's execution, with its items, in memory.
		this.alarm.abort(null);
		const deadline = this.queue.reduce((first, each) => Math.min(first, each.deadline), Infinity);
		const pauseMs = Math.min(waitMs, deadline - clock.monotonic());
		if (this.queue.length === 0 || pauseMs === Infinity) return;
		this.alarm = new AbortController();
		clock.pause(pauseMs, this.alarm.signal).then(
			() => this.serve(),
			() => undefined,
		);
	}

	/** Ends the wait of a request that is cancelled or cannot get a slot in time; false for others. */
	private dismiss({ deadline, signal, resolve, reject }: Waiting): boolean {
		const now = clock.monotonic();
		const askedMs = this.askedUntil - now;
		const isTooLong = now < this.heldUntil && (this.askedUntil > deadline || askedMs > MAX_HOLD_MS);
		if (signal?.aborted) reject(new CancelledError());
		else if (isTooLong || now >= deadline)
			resolve({ retryAfterMs: isTooLong ? askedMs : undefined });
		else return false;
		return true;
	}

	/** Milliseconds until a slot is free; Infinity when that depends on a response. */
	private waitMs(): number {
		const now = clock.monotonic();
		if (now < this.heldUntil) return this.heldUntil - now;
		this.forgetFreeSlots();
		if (this.sinceHold >= this.maxSinceHold && now < this.sentAt + SLOW_RESPONSE_MS) {
			return this.sentAt + SLOW_RESPONSE_MS - now;
		}
		const yieldsMs = Math.max(0, (this.queue[0]?.since ?? now) - now);
		const slots = yieldsMs > 0 ? this.slots * (1 - RESERVED) : this.slots;
		if (this.inFlight + this.freeAt.length < slots) return 0;
		const freeMs = this.freeAt.length > 0 ? this.freeAt[0] - now : Infinity;
		return yieldsMs > 0 ? Math.min(freeMs, yieldsMs) : freeMs;
	}

	private forgetFreeSlots(): void {
		while (this.freeAt.length > 0 && this.freeAt[0] <= clock.monotonic()) this.freeAt.shift();
	}

	private take(): Slot {
		this.inFlight += 1;
		this.sinceHold += 1;
		const sentAt = clock.monotonic();
		this.sentAt = sentAt;
		return {
			end: (result) => {
				this.inFlight -= 1;
				const isSinceHold = sentAt >= this.heldUntil;
				if (isSinceHold) this.sinceHold -= 1;
				const spreadMs = this.slots < this.requests ? Math.random() * SHARING.spreadMs : 0;
				this.freeAt.push(clock.monotonic() + this.windowMs + spreadMs);
				this.freeAt.sort((a, b) => a - b);
				const isRefused = result?.kind === 'response' && result.status === 429;
				const heldForMs = isRefused ? this.hold(sentAt, parseWait(result, clock.now())) : undefined;
				if (result && result.kind !== 'network' && !isRefused && isSinceHold) {
					this.refusals = 0;
					this.maxSinceHold += 1;
					this.slots = Math.min(this.requests, this.slots + this.regained / this.slots);
				}
				this.serve();
				return heldForMs;
			},
		};
	}

	private hold(sentAt: number, retryAfterMs?: number): number {
		const now = clock.monotonic();
		// Of a burst, only the first refusal counts: the others were already sent.
		if (sentAt >= this.heldUntil) {
			this.askedUntil = -Infinity;
			this.refusals += 1;
			this.jitter = Math.random();
			this.maxSinceHold = 1;
			const isExact = retryAfterMs !== undefined && retryAfterMs % 1000 > 0;
			if (!isExact) {
				this.regained = retryAfterMs ? REGAINED.told : REGAINED.untold;
				const kept = SHARING.kept * (this.inFlight + this.freeAt.length);
				this.slots = Math.min(this.slots, Math.max(SHARING.least, kept));
			}
		}
		// Whatever is in flight was sent before the end of this hold.
		this.sinceHold = 0;
		const delayMs = computeRefusalDelay(retryAfterMs, Math.max(1, this.refusals), this.jitter);
		this.askedUntil = Math.max(this.askedUntil, now + delayMs);
		this.heldUntil = Math.min(this.askedUntil, now + MAX_HOLD_MS);
		return this.askedUntil - now;
	}
}

const throttles = new Map<string, Throttle>();

/**
 * The throttle that all requests of this process to one base URL with one secret share, across
 * workflows. Get it again for each request: idle ones are dropped.
 */
export function getThrottle(key: string): Throttle {
	for (const [other, { isIdle }] of throttles) if (isIdle && other !== key) throttles.delete(other);
	const throttle = throttles.get(key) ?? new Throttle();
	throttles.set(key, throttle);
	return throttle;
}

/** Forgets all throttles. For tests. */
export function forgetThrottles(): void {
	throttles.clear();
}
