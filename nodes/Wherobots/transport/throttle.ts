import { CancelledError, clock } from './clock';
import { describeNoTime } from './explain';
import { Failure, settle } from './failure';
import { computeRefusalDelay, RETRY_LIMITS, parseWait } from './retry';

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

/** A slot in the window for one attempt at a request. Exactly one of its methods must be called. */
export interface Slot {
	/** The attempt is over; `accepted` when the service responded, and not with 429. */
	release(accepted: boolean): void;
	/**
	 * The service responded with 429: all requests wait.
	 *
	 * @param retryAfterMs the response's `Retry-After`, if any
	 * @returns how long they wait, in milliseconds
	 */
	refused(retryAfterMs?: number): number;
}

type Admission =
	| { admitted: true; slot: Slot }
	/** There is no slot in time. `retryAfterMs`: the wait that the service requested, if that is why. */
	| { admitted: false; retryAfterMs?: number };

interface AcquireOptions {
	/** Longest wait, in milliseconds. */
	withinMs?: number;
	signal?: AbortSignal;
}

interface Waiting {
	giveUpAt: number;
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
	) {}

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
	 * Does the work of one attempt at a request when there is a slot for it. A 429 holds all requests
	 * back.
	 *
	 * @param before the failure of the attempt before: it says more than a lack of time
	 * @param work gets the milliseconds that are left
	 * @throws Failure when there is no slot before the deadline, by `clock.monotonic`
	 */
	async run<T>(
		{ deadline, signal, before }: { deadline: number; signal?: AbortSignal; before?: Failure },
		work: (leftMs: number) => Promise<T>,
	): Promise<T> {
		const admission = await this.acquire({ signal, withinMs: deadline - clock.monotonic() });
		const startedAt = clock.monotonic();
		if (!admission.admitted || startedAt >= deadline) {
			const retryAfterMs = admission.admitted ? undefined : admission.retryAfterMs;
			if (admission.admitted) admission.slot.release(false);
			if (retryAfterMs === undefined && before) throw before.with({ attempt: undefined });
			throw new Failure(describeNoTime(retryAfterMs));
		}
		const { slot } = admission;
		const done = await settle(work(deadline - startedAt));
		if (done.ok) {
			slot.release(true);
			return done.value;
		}
		const { error } = done;
		const attempt = error instanceof Failure ? error.parts.attempt : undefined;
		const isRefused = attempt?.kind === 'response' && attempt.status === 429;
		if (!isRefused) slot.release(attempt?.kind === 'response');
		if (!attempt) throw error;
		const tookMs = clock.monotonic() - startedAt;
		const heldForMs = isRefused ? slot.refused(parseWait(attempt, clock.now())) : undefined;
		throw (error as Failure).with({ attempt: { ...attempt, heldForMs, tookMs } });
	}

	/**
	 * Waits for a free slot in the window.
	 *
	 * @throws CancelledError when `signal` is aborted first
	 */
	async acquire({ withinMs = Infinity, signal }: AcquireOptions = {}): Promise<Admission> {
		const serve = () => this.serve();
		signal?.addEventListener('abort', serve);
		const admission = await new Promise<Admission>((resolve, reject) => {
			this.queue.push({ giveUpAt: clock.monotonic() + withinMs, signal, resolve, reject });
			this.serve();
		}).finally(() => signal?.removeEventListener('abort', serve));
		if (!signal?.aborted) return admission;
		// Aborted as it got its slot.
		if (admission.admitted) admission.slot.release(false);
		throw new CancelledError();
	}

	/** Gives out free slots, ends waits that are over, and sets the alarm for the next time. */
	private serve(): void {
		this.queue = this.queue.filter((each) => !this.dismiss(each));
		let waitMs = this.waitMs();
		for (; this.queue.length > 0 && waitMs === 0; waitMs = this.waitMs()) {
			this.queue.shift()?.resolve({ admitted: true, slot: this.take() });
		}
		// The stack of the usual reason would keep this request's execution, with its items, in memory.
		this.alarm.abort(null);
		const giveUpAt = this.queue.reduce((first, each) => Math.min(first, each.giveUpAt), Infinity);
		const pauseMs = Math.min(waitMs, giveUpAt - clock.monotonic());
		if (this.queue.length === 0 || pauseMs === Infinity) return;
		this.alarm = new AbortController();
		clock.pause(pauseMs, this.alarm.signal).then(
			() => this.serve(),
			() => undefined,
		);
	}

	/** Ends the wait of a request that is cancelled or cannot get a slot in time; false for others. */
	private dismiss({ giveUpAt, signal, resolve, reject }: Waiting): boolean {
		const now = clock.monotonic();
		const askedMs = this.askedUntil - now;
		const isTooLong = now < this.heldUntil && (this.askedUntil > giveUpAt || askedMs > MAX_HOLD_MS);
		if (signal?.aborted) reject(new CancelledError());
		else if (isTooLong || now >= giveUpAt) {
			resolve({ admitted: false, retryAfterMs: isTooLong ? askedMs : undefined });
		} else return false;
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
		if (this.inFlight + this.freeAt.length < this.requests) return 0;
		return this.freeAt.length > 0 ? this.freeAt[0] - now : Infinity;
	}

	private forgetFreeSlots(): void {
		while (this.freeAt.length > 0 && this.freeAt[0] <= clock.monotonic()) this.freeAt.shift();
	}

	private take(): Slot {
		this.inFlight += 1;
		this.sinceHold += 1;
		const sentAt = clock.monotonic();
		this.sentAt = sentAt;
		const giveBack = () => {
			this.inFlight -= 1;
			if (sentAt >= this.heldUntil) this.sinceHold -= 1;
			this.freeAt.push(clock.monotonic() + this.windowMs);
		};
		return {
			release: (accepted) => {
				giveBack();
				if (accepted && sentAt >= this.heldUntil) {
					this.refusals = 0;
					this.maxSinceHold += 1;
				}
				this.serve();
			},
			refused: (retryAfterMs) => {
				giveBack();
				const waitMs = this.hold(sentAt, retryAfterMs);
				this.serve();
				return waitMs;
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
