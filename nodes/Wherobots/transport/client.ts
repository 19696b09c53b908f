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
import { pathFacts, withTexts } from './facts';
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
	/** What to look for when it is uncertain whether a creating request was carried out: `a job run named "x"`. */
	lookFor?: string;
	/** Sent even when the execution is being cancelled: to clean up. */
	evenWhenCancelled?: boolean;
	/**
	 * When the execution is cancelled, an attempt in progress is finished, because only its response
	 * tells the id of what was created; no further attempt starts.
	 */
	finishOnceSent?: boolean;
	/** Called as each attempt is sent. */
	onSend?(): void;
}

/** A response with a body that the caller reads. */
export type StreamResponse = Extract<SendResult, { kind: 'stream' }>;

/** Longest wait for a response; longer for requests whose outcome would be unknown afterwards. */
const TIMEOUT_MS = { repeatable: 30_000, once: 90_000 };

/** Longest time until a response is complete, however steadily it arrives. */
const WHOLE_RESPONSE_MS = 300_000;

interface ClientParts {
	requester: AuthenticatedRequester;
	node: INode;
	limiter: RateLimiter;
	baseUrl: string;
	signal: AbortSignal | undefined;
	executionSignal: AbortSignal | undefined;
	deadline: number;
}

/**
 * The only way to the service: authenticated, paced, retried, with errors that a person can act on.
 * It knows endpoints and requests, not the parameters of a node.
 */
export class Client {
	/** How far the service's clock is ahead of n8n's, in milliseconds, once a response has shown it. */
	private clockOffset: number | undefined;

	private readonly requester: AuthenticatedRequester;

	private readonly node: INode;

	private readonly limiter: RateLimiter;

	/** Base URL without a trailing slash. */
	readonly baseUrl: string;

	/** Ends requests and waits: aborted when the execution is cancelled, or the item's work is given up. */
	readonly signal: AbortSignal | undefined;

	/** Aborted only when the execution is cancelled. */
	readonly executionSignal: AbortSignal | undefined;

	/** No attempt starts after this time (ms since the epoch). */
	private readonly deadline: number;

	private constructor(parts: ClientParts) {
		this.requester = parts.requester;
		this.node = parts.node;
		this.limiter = parts.limiter;
		this.baseUrl = parts.baseUrl;
		this.signal = parts.signal;
		this.executionSignal = parts.executionSignal;
		this.deadline = parts.deadline;
	}

	/**
	 * A client with the credential of the node.
	 *
	 * @param deadline no attempt starts after this time or lasts beyond it (ms since the epoch)
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
		return new Client({
			requester,
			node: context.getNode(),
			limiter,
			baseUrl: base.url,
			signal,
			executionSignal: signal,
			deadline,
		});
	}

	/**
	 * The same client for one item: its requests and waits also end on this signal. Each item gets a
	 * signal of its own, because Node.js warns about leaks when many listeners share one.
	 */
	forItem(ending?: AbortSignal): Client {
		const signals = [this.signal, ending].filter((each) => each !== undefined);
		const signal = signals.length > 0 ? AbortSignal.any(signals) : undefined;
		const { requester, node, limiter, baseUrl, executionSignal, deadline } = this;
		return new Client({ requester, node, limiter, baseUrl, signal, executionSignal, deadline });
	}

	/**
	 * Calls an endpoint and returns its JSON body; undefined when it is empty. Integers that
	 * a JavaScript number cannot hold arrive as strings of their digits.
	 *
	 * @throws NodeApiError for every failure, after the retries that the endpoint allows
	 * @throws CancelledError when the execution is cancelled
	 */
	async call<T = unknown>(id: EndpointId, options: CallOptions = {}): Promise<T> {
		const response = await this.run(id, options, 'text');
		return (response.kind === 'json' ? response.body : undefined) as T;
	}

	/**
	 * Calls an endpoint and returns its body as a stream. Failures are retried until there is a
	 * successful status; reading the body is up to the caller.
	 *
	 * @throws NodeApiError, CancelledError as `call` does
	 */
	async stream(id: EndpointId, options: CallOptions = {}): Promise<StreamResponse> {
		return (await this.run(id, options, 'stream')) as StreamResponse;
	}

	/**
	 * The time by the service's clock, in milliseconds since the epoch, to within a second: it comes
	 * from the `Date` header of the last response. n8n's own time until there is one.
	 */
	serviceNow(): number {
		return clock.now() + (this.clockOffset ?? 0);
	}

	/** Whether `serviceNow` is the service's time, and not n8n's for want of it. */
	get knowsServiceTime(): boolean {
		return this.clockOffset !== undefined;
	}

	/** The same object for all clients of one address and credential. */
	get account(): object {
		return this.limiter;
	}

	private noteDate(date: string | undefined): void {
		const time = Date.parse(date ?? '');
		if (Number.isFinite(time)) this.clockOffset = time - clock.now();
	}

	private async run(id: EndpointId, options: CallOptions, encoding: 'text' | 'stream') {
		const endpoint = endpoints[id];
		/** Ends a wait and prevents the next attempt. */
		const signal = options.evenWhenCancelled ? undefined : this.signal;
		/** Ends an attempt in progress. */
		const sendSignal = options.finishOnceSent ? undefined : signal;
		const url = this.baseUrl + buildPath(endpoint, options.path);
		const startedAt = clock.now();
		let responseLost = false;

		for (let attempts = 1; ; attempts++) {
			if (signal?.aborted) throw new CancelledError();
			const release = await this.limiter.acquire(signal);
			const leftMs = this.deadline - clock.now();
			if (leftMs <= 0) {
				release();
				throw this.error(describeNoTime());
			}
			options.onSend?.();
			const sent = await send(this.requester, {
				method: endpoint.method,
				url,
				query: options.query,
				body: options.body,
				encoding,
				signal: sendSignal,
				timeoutMs: Math.min(TIMEOUT_MS[endpoint.retry], leftMs),
				wholeMs: Math.min(WHOLE_RESPONSE_MS, leftMs),
			});
			release();
			if (sent.kind === 'json' || sent.kind === 'stream') {
				this.noteDate(sent.kind === 'json' ? sent.date : sent.headers.date);
				return sent;
			}
			if (sendSignal?.aborted) throw new CancelledError();
			if (responseLost && sent.kind === 'response' && sent.status === endpoint.doneBefore) {
				return { kind: 'json', body: undefined } as const;
			}

			const attempt =
				sent.kind === 'response'
					? ({ kind: 'status', status: sent.status, retryAfter: sent.retryAfter } as const)
					: ({ kind: 'network', code: sent.code } as const);
			const now = clock.now();
			const decision = decideRetry(
				endpoint.retry,
				attempt,
				{ attempts, elapsedMs: now - startedAt },
				now,
				Math.random(),
				{ ...RETRY_LIMITS, withinMs: Math.min(RETRY_LIMITS.withinMs, this.deadline - startedAt) },
			);
			if (!decision.retry) {
				const failure =
					sent.kind === 'network'
						? describeNetwork(sent.code, sent.detail)
						: sent.status < 300
							? describeUnreadable(sent)
							: describeResponse(endpoint, sent);
				failure.facts = pathFacts(options.path);
				failure.retryAfterMs = decision.askedToWaitMs;
				failure.passing = decision.passing;
				const unclear = decision.ambiguous && endpoint.retry === 'once';
				throw this.error(unclear ? withLookFor(failure, attempt, options.lookFor) : failure);
			}
			responseLost ||= decision.afterAmbiguous;
			await clock.pause(decision.delayMs, signal);
		}
	}

	/** The error for a streamed body that the endpoint would not send. `text` is its beginning. */
	unreadable(id: EndpointId, response: FailedResponse): NodeApiError {
		const clean = { ...response, text: redact(response.text, this.requester.secrets) };
		const failure = describeResponse(endpoints[id], clean);
		return this.error(failure.codes?.length ? failure : describeUnreadable(clean));
	}

	/** This node's error for a failure, for callers that find one in a response. Shows no secret. */
	error(failure: Failure): NodeApiError {
		const clean = (text: string) => redact(text, this.requester.secrets);
		return toNodeApiError(this.node, {
			...failure,
			message: clean(failure.message),
			description: clean(failure.description),
			facts: withTexts(failure.facts, clean),
		});
	}
}
