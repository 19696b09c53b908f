import {
	NodeApiError,
	NodeOperationError,
	type IDataObject,
	type IExecuteFunctions,
	type ILoadOptionsFunctions,
	type INode,
	type IPollFunctions,
} from 'n8n-workflow';

import { readBaseUrl } from '../service/baseUrl';
import { buildPath, endpoints, type EndpointId, type PathValues } from '../service/endpoints';
import { readSecret } from '../service/secret';
import { CancelledError, clock } from './clock';
import { toNodeApiError } from './errors';
import {
	describeResponse,
	describeUnreadable,
	withLookFor,
	type FailedResponse,
	type Failure,
} from './failure';
import { describeNetwork, describeNoTime } from './networkFailure';
import { send, type SendResult } from './http';
import { limiterFor, type RateLimiter } from './rateLimit';
import { redact } from './redact';
import { decideRetry, RETRY_LIMITS } from './retry';
import { authenticatedRequester, type AuthenticatedRequester } from './authenticatedRequest';

/** The credential's name, as nodes and n8n know it. */
export const CREDENTIAL = 'wherobotsApi';

export type ClientContext = IExecuteFunctions | IPollFunctions | ILoadOptionsFunctions;

export interface CallOptions {
	/** Values of the path's `{name}` parts, not encoded. */
	path?: PathValues;
	/** Query parameters; undefined ones are left out, arrays become repeated parameters. */
	query?: IDataObject;
	/** Sent as JSON, an empty object too. */
	body?: IDataObject;
	/** What to look for when it stays open whether a creating request was carried out: `a job run named "x"`. */
	lookFor?: string;
	/** Goes through even when the execution is being cancelled: to clean up. */
	evenWhenCancelled?: boolean;
	/**
	 * A try that is under way comes to its end when the execution is cancelled, because only the
	 * answer tells the id of what was created; none begins afterwards.
	 */
	finishOnceSent?: boolean;
}

/** An answer whose body is read by the caller. */
export type StreamResponse = Extract<SendResult, { kind: 'stream' }>;

/** Longest wait for an answer; a request with an effect is given longer before its outcome counts as unknown. */
const TIMEOUT_MS = { repeatable: 30_000, once: 90_000 };

/** Longest time for an answer to come in whole, however steadily it trickles. */
const WHOLE_ANSWER_MS = 300_000;

/**
 * The only way to the service: authenticated, paced, retried, with errors that a person can act on.
 * It knows endpoints and requests, not the parameters of a node.
 */
export class Client {
	/** How far the service's clock is ahead of n8n's, in milliseconds, once an answer has told. */
	private clockOffset = 0;

	private constructor(
		private readonly requester: AuthenticatedRequester,
		private readonly node: INode,
		private readonly limiter: RateLimiter,
		/** Base URL without a trailing slash. */
		readonly baseUrl: string,
		/** Ends requests and waits: aborted when the execution is cancelled, or whoever needs the work gives up. */
		readonly signal: AbortSignal | undefined,
		/** No try begins after this time (ms since the epoch). */
		private readonly deadline: number,
		/** Aborted when the execution is cancelled, and only then. */
		readonly executionSignal: AbortSignal | undefined,
	) {}

	/**
	 * A client with the credential of the node.
	 *
	 * @param deadline no try begins after this time (ms since the epoch), and none lasts longer
	 * @throws NodeOperationError when the base URL or the secret of the credential cannot be used
	 */
	static async create(context: ClientContext, deadline = Infinity): Promise<Client> {
		const requester = authenticatedRequester(context, CREDENTIAL);
		const credentials = await requester.credential();
		const base = readBaseUrl(credentials.baseUrl);
		const secret = readSecret(credentials);
		const problem = base.ok ? (secret.ok ? undefined : secret.problem) : base.problem;
		if (!base.ok || problem !== undefined) {
			throw new NodeOperationError(context.getNode(), problem ?? '', {
				description: 'Correct it in the Wherobots API credential of this node.',
			});
		}
		const signal =
			'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
		const limiter = limiterFor(base.url, requester.secrets.join('\n'));
		return new Client(requester, context.getNode(), limiter, base.url, signal, deadline, signal);
	}

	/**
	 * The same client for one item: its requests and waits end with this signal too. It listens on a
	 * signal of its own, because Node.js warns of leaks where many wait for the same one.
	 */
	forItem(ending?: AbortSignal): Client {
		const signals = [this.signal, ending].filter((each) => each !== undefined);
		const signal = signals.length > 0 ? AbortSignal.any(signals) : undefined;
		const { requester, node, limiter, baseUrl, deadline, executionSignal } = this;
		return new Client(requester, node, limiter, baseUrl, signal, deadline, executionSignal);
	}

	/**
	 * Calls an endpoint and returns its JSON body; undefined when the answer has none. Integers that
	 * a JavaScript number cannot hold arrive as strings of their digits.
	 *
	 * @throws NodeApiError for every failure, after the retries that the endpoint allows
	 * @throws CancelledError when the execution is cancelled
	 */
	async call<T = unknown>(id: EndpointId, options: CallOptions = {}): Promise<T> {
		const answer = await this.run(id, options, 'text');
		return (answer.kind === 'json' ? answer.body : undefined) as T;
	}

	/**
	 * Calls an endpoint and returns its body as a stream, unread. Only the way to a successful status
	 * is retried; what happens to the body is the caller's.
	 *
	 * @throws NodeApiError, CancelledError as `call` does
	 */
	async stream(id: EndpointId, options: CallOptions = {}): Promise<StreamResponse> {
		return (await this.run(id, options, 'stream')) as StreamResponse;
	}

	/**
	 * The time by the service's clock, in milliseconds since the epoch, as exact as the `Date` header
	 * of its last answer: a second. n8n's own time until an answer has told.
	 */
	serviceNow(): number {
		return clock.now() + this.clockOffset;
	}

	private noteDate(date: string | undefined): void {
		const time = Date.parse(date ?? '');
		if (Number.isFinite(time)) this.clockOffset = time - clock.now();
	}

	private async run(id: EndpointId, options: CallOptions, encoding: 'text' | 'stream') {
		const endpoint = endpoints[id];
		/** Ends a wait and keeps the next try from beginning. */
		const signal = options.evenWhenCancelled ? undefined : this.signal;
		/** Ends a try that is under way. */
		const sendSignal = options.finishOnceSent ? undefined : signal;
		const url = this.baseUrl + buildPath(endpoint, options.path);
		const begun = clock.now();
		let answerLost = false;

		for (let tries = 1; ; tries++) {
			if (signal?.aborted) throw new CancelledError();
			const answered = await this.limiter.acquire(signal);
			const leftMs = this.deadline - clock.now();
			if (leftMs <= 0) {
				answered();
				throw this.error(describeNoTime());
			}
			const sent = await send(this.requester, {
				method: endpoint.method,
				url,
				query: options.query,
				body: options.body,
				encoding,
				signal: sendSignal,
				timeoutMs: Math.min(TIMEOUT_MS[endpoint.retry], leftMs),
				wholeMs: Math.min(WHOLE_ANSWER_MS, leftMs),
			});
			answered();
			if (sent.kind === 'json' || sent.kind === 'stream') {
				this.noteDate(sent.kind === 'json' ? sent.date : sent.headers.date);
				return sent;
			}
			if (sendSignal?.aborted) throw new CancelledError();
			if (answerLost && sent.kind === 'answer' && sent.status === endpoint.doneBefore) {
				return { kind: 'json', body: undefined } as const;
			}

			const attempt =
				sent.kind === 'answer'
					? ({ kind: 'status', status: sent.status, retryAfter: sent.retryAfter } as const)
					: ({ kind: 'network', code: sent.code } as const);
			const now = clock.now();
			const decision = decideRetry(
				endpoint.retry,
				attempt,
				{ tries, elapsedMs: now - begun },
				now,
				Math.random(),
				{ ...RETRY_LIMITS, withinMs: Math.min(RETRY_LIMITS.withinMs, this.deadline - begun) },
			);
			if (!decision.retry) {
				const failure =
					sent.kind === 'network'
						? describeNetwork(sent.code, sent.detail)
						: sent.status < 300
							? describeUnreadable(sent)
							: describeResponse(endpoint, sent);
				failure.retryAfterMs = decision.askedToWaitMs;
				failure.passing = decision.passing;
				const unclear = decision.ambiguous && endpoint.retry === 'once';
				throw this.error(unclear ? withLookFor(failure, attempt, options.lookFor) : failure);
			}
			answerLost ||= decision.afterAmbiguous;
			await clock.pause(decision.delayMs, signal);
		}
	}

	/** The error for a streamed body that is not what the endpoint sends. `text` is its beginning. */
	unreadable(id: EndpointId, answer: FailedResponse): NodeApiError {
		const clean = { ...answer, text: redact(answer.text, this.requester.secrets) };
		const failure = describeResponse(endpoints[id], clean);
		return this.error(failure.codes.length > 0 ? failure : describeUnreadable(clean));
	}

	/** An error of this node for a failure, for callers that find one in an answer. Shows no secret. */
	error(failure: Failure): NodeApiError {
		const clean = (text: string) => redact(text, this.requester.secrets);
		return toNodeApiError(this.node, {
			...failure,
			message: clean(failure.message),
			description: clean(failure.description),
		});
	}
}
