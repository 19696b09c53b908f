import type { Endpoint, PathValues } from '../../service/endpoints';
import type { SendResult } from '../http';
import type { NoTime } from '../pace/pacedRequest';
import {
	BAD_CERTIFICATE,
	isTransient,
	mayBeHandled,
	waitAskedFor,
	type Attempt,
} from '../pace/retry';
import { describeFailed, type ErrorFacts, type Failure } from './failure';
import { clean, lines } from './plainText';

/** What happened to a connection. */
export type NetworkProblem = 'notFound' | 'refused' | 'timeout' | 'certificate' | 'other';

const PROBLEMS: Array<[RegExp, NetworkProblem]> = [
	[/^(ENOTFOUND|EAI_AGAIN)$/, 'notFound'],
	[/^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH)$/, 'refused'],
	[/^(ETIMEDOUT|ECONNABORTED|ESOCKETTIMEDOUT|ERR_TIMEOUT)$/, 'timeout'],
	[BAD_CERTIFICATE, 'certificate'],
];

/** What happened, by the code of the socket or the HTTP client. */
export function networkProblem(code: string): NetworkProblem {
	return PROBLEMS.find(([pattern]) => pattern.test(code))?.[1] ?? 'other';
}

const CHECK_NETWORK = "Check 'Base URL' in the credential and the network of n8n.";

/** What happened and what to do, by network problem or by one of the package's own codes. */
const SENTENCES: Record<string, [message: string, advice: string]> = {
	notFound: ['The host name of the base URL was not found', CHECK_NETWORK],
	refused: ['Could not connect to Wherobots Cloud', `The connection was refused. ${CHECK_NETWORK}`],
	timeout: ['Wherobots Cloud did not respond in time', 'Try again later.'],
	certificate: [
		'The certificate of the base URL is not trusted',
		"Check 'Base URL' in the credential, or add your network's certificate to those that n8n trusts.",
	],
	other: ['The connection to Wherobots Cloud was lost', 'Try again later.'],
	SSRF_BLOCKED: [
		'This n8n does not allow requests to the base URL',
		"Check 'Base URL' in the credential, or ask your n8n administrator to allow the address.",
	],
	CREDENTIAL_UNREADABLE: [
		'n8n could not load the Wherobots API credential',
		'Nothing was sent to Wherobots Cloud.',
	],
	CREDENTIAL_UNUSABLE: [
		'The Wherobots API credential cannot be used',
		'Nothing was sent to Wherobots Cloud. Correct the credential.',
	],
	TRUNCATED: [
		'The response from Wherobots Cloud was incomplete',
		'The connection was closed before the whole response had arrived. Try again later.',
	],
};

const ADDRESS_AT_FAULT = /^(ENOTFOUND$|ERR_INVALID)/;

/** Explains an attempt without a complete response. `detail` is the HTTP client's message. Pure. */
export function describeNetwork(code: string, detail: string): Failure {
	const [message, advice] = SENTENCES[Object.hasOwn(SENTENCES, code) ? code : networkProblem(code)];
	return {
		message,
		description: lines(advice, clean(detail)),
		addressAtFault: ADDRESS_AT_FAULT.test(code) || BAD_CERTIFICATE.test(code),
	};
}

/** A request that did not succeed: the outcome of its last attempt, or that there was no time for one. */
export type Unsuccessful = Extract<SendResult, { kind: 'network' | 'response' }> | NoTime;

/**
 * Explains a request that failed after all its attempts. Pure.
 *
 * @param lookFor what a creating request may have created
 * @param now milliseconds since the epoch, for a `Retry-After` that is a date
 */
export function describeRequest(
	endpoint: Endpoint,
	outcome: Unsuccessful,
	{ path, lookFor }: { path?: PathValues; lookFor?: string },
	now: number,
): Failure {
	if (outcome.kind === 'noTime') return describeNoTime(outcome.retryAfterMs);
	const failure: Failure = {
		...(outcome.kind === 'network'
			? describeNetwork(outcome.code, outcome.detail)
			: describeFailed(endpoint, outcome)),
		facts: pathFacts(path),
		retryAfterMs: waitAskedFor(outcome, now),
		temporary: isTransient(outcome),
	};
	const isUnclear = mayBeHandled(outcome) && endpoint.retry === 'once';
	return isUnclear ? withLookFor(failure, outcome, lookFor) : failure;
}

/** Adds that a creating request may have been handled, and what to look for. Pure. */
export function withLookFor(failure: Failure, attempt: Attempt, lookFor?: string): Failure {
	const where =
		attempt.kind === 'network' ? 'no complete response arrived' : `HTTP ${attempt.status}`;
	return {
		...failure,
		ambiguous: true,
		message: `${failure.message}: it is not certain whether the request was carried out`,
		description: lines(
			`It was not repeated, because that could carry it out twice (${where}).`,
			lookFor && `Before you try again, look for ${lookFor}.`,
			failure.description.replace(/ ?Try again later\./, '').trim(),
		),
	};
}

/** Explains a request that was not sent before its deadline, or because of `retryAfterMs`. Pure. */
export function describeNoTime(retryAfterMs?: number): Failure {
	if (retryAfterMs !== undefined) {
		return {
			message: 'Wherobots Cloud is receiving too many requests',
			description: `It requested a wait of another ${Math.ceil(retryAfterMs / 1000)} seconds, so this request was not sent. Try again later.`,
			httpCode: '429',
			retryAfterMs,
			temporary: true,
		};
	}
	return {
		message: 'There was no time left for a request to Wherobots Cloud',
		description: 'Earlier requests took too long. Try again later.',
	};
}

/** The values of a request's path as facts: `run_id` becomes `runId`. */
export function pathFacts(path: Record<string, string> = {}): ErrorFacts {
	const camelCase = (name: string) =>
		name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
	return Object.fromEntries(Object.entries(path).map(([name, value]) => [camelCase(name), value]));
}
