import {
	type IDataObject,
	type IExecuteFunctions,
	type ILoadOptionsFunctions,
	type IPollFunctions,
	type NodeEgressFilter,
	type RequestHelperFunctions,
} from 'n8n-workflow';

import {
	buildPath,
	endpoints,
	type Endpoint,
	type EndpointId,
	findEndpoint,
	type PathValues,
	type RetryClass,
} from '../service/endpoints';
import { CLIENT_HEADER, USER_AGENT } from '../service/deployment';
import { parseJson } from '../service/json';
import { CancelledError, clock, waitUnlessAborted } from './clock';
import { createRequester, toSecretHeader, type AuthenticatedRequester } from './credential';
import { addRecoveryHint, describeFailed, describeNoTime, explain } from './explain';
import { toFailure, Failure } from './failure';
import {
	type BadResponse,
	type FailedRequest,
	type FileLocation,
	type PlainRequester,
	type PresignedRequest,
	type PresignedResult,
	REQUEST_LIMITS,
	type Reply,
	send,
	sendPresigned,
	type SendResult,
	type StreamResponse,
} from './http';
import { describeNetwork, isPossiblyHandled, tryAgain } from './retry';
import { cleanForErrors, hasPossibleSecret, redactSecrets } from './secrets';
import type { SharedReadings } from './sharing';
import { SqlSocket } from './socket';
import { getThrottle, RATE_LIMIT } from './throttle';

type Helpers = Partial<Pick<RequestHelperFunctions, 'getSecureEgressFilter'>> &
	Pick<RequestHelperFunctions, 'httpRequest'>;

type ClientContext = IExecuteFunctions | IPollFunctions | ILoadOptionsFunctions;

/** A caller's options for a request. */
export interface CallOptions {
	/** Overrides the endpoint's path, where the service's own description says it. */
	at?: string;
	/** Values of the path's `{name}` parts, not encoded. */
	path?: PathValues;
	/** Query parameters; undefined ones are left out, arrays become repeated parameters. */
	query?: IDataObject;
	/** Sent as JSON, an empty object too. */
	body?: IDataObject;
	/** What to look for when it is unclear whether a creating request was handled: `a job run named "x"`. */
	recoveryHint?: string;
	/** Overrides the endpoint's retry class, where it depends on the content. */
	retry?: RetryClass;
	/** Called as each attempt is sent. */
	onSend?(): void;
}

/**
 * The only way to the service: authenticated, paced, retried, with errors that a person can act on.
 * It knows endpoints and requests, not the parameters of a node.
 */
export class Client {
	/**
	 * How far the service's clock is ahead of n8n's, once known; and for how long requests have waited for
	 * the rate limit. All clients of a node share it.
	 */
	private readonly times: { offsetMs?: number; waitedMs: number } = { waitedMs: 0 };

	private constructor(
		private readonly requester: AuthenticatedRequester,
		/** For presigned URLs. */
		private readonly plainRequester: PlainRequester,
		/** This and `account`, its `id`: see `Account`. */
		readonly baseUrl: string,
		readonly account: string,
		/** No attempt starts after this time, by `clock.monotonic`. */
		readonly deadline: number,
		/** n8n's filter of addresses; undefined in older versions of n8n. */
		private readonly egressFilter: NodeEgressFilter | undefined,
		/** Aborted only when the execution is cancelled. */
		readonly executionSignal: AbortSignal | undefined,
		/** Ends requests and waits: aborted when the execution is cancelled or the item is abandoned. */
		readonly signal: AbortSignal | undefined,
		/** Of a poll, which only reads. */
		private readonly readings?: SharedReadings,
	) {}

	/**
	 * A client with the credential of the node.
	 *
	 * @param deadline no attempt starts after this time or lasts beyond it, by `clock.monotonic`
	 * @throws Failure when the base URL or the secret of the credential cannot be used
	 */
	static async create(context: ClientContext, deadline = Infinity): Promise<Client> {
		const requester = createRequester(context);
		const { baseUrl, id } = await requester.account();
		const signal =
			'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
		const { httpRequest, getSecureEgressFilter }: Helpers = context.helpers;
		const filter = getSecureEgressFilter?.();
		return new Client(requester, httpRequest, baseUrl, id, deadline, filter, signal, signal);
	}

	private endingOn(signal: AbortSignal | undefined): Client {
		return Object.assign(Object.create(Client.prototype) as Client, this, { signal });
	}

	/**
	 * This client for one item, whose requests and waits also end on this signal. Each item has its
	 * own signal, because Node.js warns about leaks when many listeners share one.
	 */
	forItem(ending?: AbortSignal): Client {
		const signals = [this.signal, ending].filter((each) => each !== undefined);
		return this.endingOn(AbortSignal.any(signals));
	}

	/** This client for work that must be done even when the execution is cancelled. */
	evenWhenCancelled(): Client {
		return this.endingOn(undefined);
	}

	/**
	 * This client for a poll: it takes what others of its account have just read, and the requests of
	 * executions go first.
	 */
	sharing(readings: SharedReadings): Client {
		return Object.assign(Object.create(Client.prototype) as Client, this, { readings });
	}

	/**
	 * Calls an endpoint and returns its JSON body; undefined when it is empty. Integers that
	 * a JavaScript number cannot hold arrive as strings of their digits.
	 *
	 * @throws Failure for every failure, after the retries that the endpoint allows
	 * @throws CancelledError when the execution is cancelled
	 */
	async call<T = unknown>(id: EndpointId, options: CallOptions = {}): Promise<T> {
		const response = await this.shareOrRequest(id, options);
		return (response.kind === 'json' ? response.body : undefined) as T;
	}

	/**
	 * Calls an endpoint and returns its body as a stream. Failures are retried until there is a
	 * successful status; reading the body is up to the caller.
	 *
	 * @throws Failure, CancelledError as `call` does
	 */
	async stream(id: EndpointId, options: CallOptions = {}): Promise<StreamResponse> {
		return (await this.request(id, options, 'stream')) as StreamResponse;
	}

	/**
	 * Calls an endpoint that redirects on success, and returns the location instead of following it with
	 * the key. Some deployments send the body directly.
	 *
	 * @throws Failure, CancelledError as `call` does
	 */
	async locate(id: EndpointId, options: CallOptions = {}): Promise<FileLocation> {
		return (await this.request(id, options, 'stream')) as FileLocation;
	}

	/** Sends one request to a presigned URL, without the key and outside the rate limit. */
	async sendPresigned(request: Omit<PresignedRequest, 'signal'>): Promise<PresignedResult> {
		return await sendPresigned(this.plainRequester, { ...request, signal: this.signal });
	}

	/**
	 * Connects to a socket of the service, with the key in a header. The caller checks first that the
	 * key may be sent there (`toSocketUrl`). n8n's proxy does not apply, and its address filter only before
	 * the connection: the platform's socket looks the name up once more.
	 *
	 * @returns undefined when the connection failed; the reason is unknown
	 * @throws Failure when the credential cannot be used, or n8n does not allow the address
	 * @throws CancelledError when the execution is cancelled
	 */
	async connect(url: string): Promise<SqlSocket | undefined> {
		const secret = await this.requester
			.usableSecret()
			.catch(({ code, message }: Error & { code: string }) => {
				throw new Failure(describeNetwork(code, message));
			});
		if (!(await this.isReachable(url))) return undefined;
		const headers = { ...toSecretHeader(secret), ...CLIENT_HEADER, 'User-Agent': USER_AGENT };
		return await SqlSocket.open(url, headers, this.signal, (each) => this.withoutSecrets(each));
	}

	/**
	 * Whether the host of a socket was found, as far as n8n's address filter looks it up.
	 *
	 * @throws Failure when n8n does not allow the address
	 */
	private async isReachable(url: string): Promise<boolean> {
		const asked = this.egressFilter?.validateUrl(url).catch(() => undefined);
		if (!asked) return true;
		const answer = await waitUnlessAborted(asked, this.signal);
		if (answer?.ok === false) {
			throw new Failure({
				message: 'This n8n does not allow connections to the SQL session',
				description: `${answer.error.message}. Neither the key nor the statement was sent.`,
				nextStep: 'Ask your n8n administrator to allow the address.',
			});
		}
		return answer !== undefined;
	}

	/**
	 * The time by the service's clock, in milliseconds since the epoch, to within a second: it comes
	 * from the `Date` header of the last response. n8n's own time until there is one.
	 */
	serviceNow(): number {
		return clock.now() + (this.times.offsetMs ?? 0);
	}

	/** Whether `serviceNow` is the service's time, rather than n8n's. */
	get knowsServiceTime(): boolean {
		return this.times.offsetMs !== undefined;
	}

	/** For how long requests have waited for the rate limit, in milliseconds, each counted by itself. */
	get waitedMs(): number {
		return this.times.waitedMs;
	}

	/** Whether requests of this account wait for seconds: each more is at the cost of others. */
	get isCrowded(): boolean {
		return getThrottle(this.account).isCrowded;
	}

	/**
	 * A response that a poll shares is parsed anew for each, as nodes may change the items of it. Its time is
	 * that of the service then.
	 */
	private async shareOrRequest(id: EndpointId, options: CallOptions): Promise<Reply> {
		if (!this.readings) return await this.request(id, options, 'text');
		const key = JSON.stringify([this.account, id, options]);
		const place = JSON.stringify([id, options.path]);
		let own: Reply | undefined;
		const make = async (onSend: () => void) => {
			own = await this.request(id, { ...options, onSend }, 'text');
			// In the course of a poll, another key may be entered, perhaps that of another account.
			const sent = await this.requester.account().catch(() => undefined);
			const { text, date } = own as Extract<Reply, { kind: 'json' }>;
			return { text, date, account: sent?.id };
		};
		const inTime = this.finishInTime.bind(this);
		const { text, date, account } = await this.readings.read(place, key, make, inTime);
		if (own) return own;
		if (account !== this.account) return await this.request(id, options, 'text');
		const body = text.trim() === '' ? undefined : parseJson(text);
		const reply = this.received({ kind: 'json', body, text, date }) as Reply;
		this.noteTime(reply);
		return reply;
	}

	/** Waits for another's work, no longer than this client would for its own. */
	private async finishInTime<T>(work: Promise<T>): Promise<T> {
		const ending = new AbortController();
		const end = clock.pause(this.deadline - clock.monotonic(), ending.signal).then(() => {
			throw new Failure(describeNoTime());
		});
		try {
			return await waitUnlessAborted(Promise.race([work, end]), this.signal);
		} finally {
			ending.abort(null);
		}
	}

	private noteTime(reply: Reply): void {
		const time = Date.parse((reply.kind === 'json' ? reply.date : reply.headers.date) ?? '');
		if (Number.isFinite(time)) this.times.offsetMs = time - clock.now();
	}

	/** Sends the request when the throttle allows it, and again as the retry policy says. */
	private async request(
		id: EndpointId,
		options: CallOptions,
		encoding: 'text' | 'stream',
	): Promise<Reply> {
		const { path, retry: usual } = endpoints[id];
		const retry = options.retry ?? usual;
		const at = options.at ?? path;
		const known = at === path ? undefined : findEndpoint(endpoints[id].method, at);
		const { permission, secret } = known ?? endpoints[id];
		const endpoint: Endpoint = { ...endpoints[id], path: at, retry, permission, secret };
		const { deadline, signal } = this;
		// Only the response to a creation has the new record's ID, or its secret: an attempt in progress is
		// finished even when the execution is cancelled. No further one starts.
		const isCreation = usual === 'once' && encoding === 'text';
		const sendSignal = isCreation ? undefined : signal;
		const url = this.baseUrl + buildPath(endpoint, options.path);
		const { query, body } = options;
		const { idleTimeoutMs, totalTimeoutMs } = REQUEST_LIMITS;
		const explained = (result: FailedRequest) =>
			this.clean(new Failure(explain(endpoint, result, options, clock.now())));
		let failed: FailedRequest | undefined;
		let mayBeDone = false;
		// In the place of a request that will be asked for a window later.
		const since = clock.monotonic() + (this.readings ? RATE_LIMIT.windowMs : 0);
		const reply = await tryAgain<Reply>({ retryClass: retry, deadline, signal }, async () => {
			const askedAt = clock.monotonic();
			const { slot, retryAfterMs } = await getThrottle(this.account).acquire({
				since,
				deadline,
				signal,
			});
			if (!slot) {
				// The failure of the attempt before says more than a lack of time.
				if (failed && retryAfterMs === undefined) throw explained(failed);
				throw new Failure(describeNoTime(retryAfterMs));
			}
			const sentAt = clock.monotonic();
			this.times.waitedMs += sentAt - askedAt;
			options.onSend?.();
			const leftMs = deadline - sentAt;
			const sent = await send(this.requester, {
				...{ ...endpoint, url, query, body, encoding, signal: sendSignal },
				timeoutMs: Math.min(idleTimeoutMs[retry], idleTimeoutMs[usual], leftMs),
				totalTimeoutMs: Math.min(totalTimeoutMs, leftMs),
			});
			const heldForMs = slot.end(sent);
			const result = this.received(sent);
			if (result.kind !== 'network' && result.kind !== 'response') return { value: result };
			if (sendSignal?.aborted) throw new CancelledError();
			const isDone = result.kind === 'response' && result.status === endpoint.doneBefore;
			if (mayBeDone && isDone) return { value: NOTHING };
			mayBeDone ||= isPossiblyHandled(result);
			failed = result;
			const tookMs = clock.monotonic() - sentAt;
			return { failed, heldForMs, tookMs, explain: () => explained(result) };
		});
		this.noteTime(reply);
		return reply;
	}

	/**
	 * The failure for a streamed body that the endpoint would not send. `text` is its beginning.
	 *
	 * @param recoveryHint what the request may have created, when it must not be sent again
	 */
	unreadable(id: EndpointId, response: BadResponse, recoveryHint?: string): Failure {
		const { secrets } = this.requester;
		const failure = describeFailed(endpoints[id], cleanForErrors({ ...response }, secrets));
		if (recoveryHint === undefined) return this.clean(new Failure(failure));
		const attempt = { kind: 'response' as const, status: response.status };
		return this.clean(new Failure(addRecoveryHint(failure, attempt, recoveryHint)));
	}

	/**
	 * What came from the service without the secrets of the credential, in case it repeats them. The methods
	 * of this class return nothing else; what is parsed from a stream or bytes has yet to pass through here.
	 */
	withoutSecrets<T>(value: T): T {
		return redactSecrets(value, this.requester.secrets);
	}

	/** Whether texts have to be looked at one by one. @param bytes all of them, in UTF-8 */
	hasPossibleSecret(bytes: Buffer): boolean {
		return hasPossibleSecret(bytes, this.requester.secrets);
	}

	private received(result: SendResult): SendResult {
		const { secrets } = this.requester;
		if (result.kind === 'json') {
			const isClean = !hasPossibleSecret(result.text, secrets);
			return isClean ? result : { ...result, body: this.withoutSecrets(result.body) };
		}
		// A body that has not been read, and a location to go to, stay as they are.
		if (result.kind === 'stream' || result.kind === 'redirect') {
			return { ...result, headers: redactSecrets({ ...result.headers }, secrets) };
		}
		return cleanForErrors(result, secrets);
	}

	/** An error without the secrets of the credential. */
	clean(error: unknown): Failure {
		return toFailure(error, this.requester.secrets);
	}
}

/** The reply where an earlier attempt, whose response was lost, had already done the work. */
const NOTHING = { kind: 'json' as const, body: undefined, text: '', date: undefined };
