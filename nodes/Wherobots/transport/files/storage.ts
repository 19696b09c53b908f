import type { Client } from '../client';
import { CancelledError } from '../clock';
import type { Failure } from '../failures/failure';
import { lines } from '../failures/plainText';
import { networkProblem, type NetworkProblem } from '../failures/requestFailure';
import type { StreamResponse } from '../http';
import { FailedAttempt, LOST } from '../pace/pacedRequest';
import { isTransient, type Attempt } from '../pace/retry';
import type { PresignedRequest, PresignedResult } from './presigned';

/** Any other result than success. */
export type Refusal = Exclude<PresignedResult, { kind: 'stream' }>;

/**
 * Sends a request to a presigned URL: PUT uploads a file, GET downloads one. Part of an attempt of
 * `tryAgain` that has just got the URL.
 *
 * @param attempt number of the attempt
 * @throws FailedAttempt when the storage fails or refuses it
 * @throws CancelledError when the execution is cancelled
 */
export async function requestStorage(
	client: Client,
	request: Omit<PresignedRequest, 'signal'>,
	attempt: number,
): Promise<StreamResponse> {
	const result = await client.sendPresigned(request);
	if (result.kind === 'stream') return result;
	if (client.signal?.aborted) throw new CancelledError();
	throw new FailedAttempt(attemptOf(result, attempt), () =>
		client.error(describeStorage(request.method, result)),
	);
}

/** The failed attempt for the retry policy; undefined when another one cannot help. */
export function attemptOf(refusal: Refusal, attempt: number): Attempt | undefined {
	if (refusal.kind === 'network') {
		return refusal.code === 'INSECURE_ADDRESS' ? undefined : refusal;
	}
	const { status } = refusal;
	// URLs expire after about a minute, and storages report that with the same status as denied access.
	if (status === 403 || status === 400) return attempt === 1 ? LOST : undefined;
	return { kind: 'response', status: actualStatus(status) };
}

/** S3 may fail after sending a successful status. */
function actualStatus(status: number): number {
	return status < 300 ? 503 : status;
}

const HINTS: Record<string, string> = {
	AccessDenied: 'The URL had only just been issued, so the storage itself denies access.',
	EntityTooLarge: 'S3 accepts at most 5 GB in one upload.',
	NoSuchKey: 'There is no file at this path in the storage.',
};

/** Explains a failed request to a storage. Never shows its URL. Pure. */
export function describeStorage(method: 'GET' | 'PUT', refusal: Refusal): Failure {
	if (refusal.kind === 'network') return describeLost(method, refusal);
	const { status, code } = refusal;
	const httpCode = String(status);
	if (status >= 300 && status < 400) {
		return {
			message: 'The storage redirects to another address',
			description:
				'The redirect was not followed: a URL from Wherobots Cloud is only valid as issued.',
			httpCode,
		};
	}
	const temporary = isTransient({ kind: 'response', status: actualStatus(status) });
	return {
		message:
			method === 'PUT' ? 'The storage rejected the file' : 'The storage did not return the file',
		description: lines(
			`HTTP ${status}${code ? `, ${code}` : ''} from the storage.`,
			HINTS[code ?? ''] ?? (temporary && 'Try again later.'),
		),
		httpCode,
		codes: code ? [code] : [],
		temporary,
	};
}

const LOST_CONNECTIONS: Record<NetworkProblem, string> = {
	notFound: 'Could not connect to the storage',
	refused: 'Could not connect to the storage',
	timeout: 'The storage did not respond in time',
	certificate: 'The certificate of the storage is not trusted',
	other: 'The connection to the storage was lost',
};

/** Requests that were not sent, by their codes. */
const NOT_SENT: Record<string, Failure> = {
	INSECURE_ADDRESS: {
		message: 'The URL for the file is not secure',
		description: 'Wherobots Cloud returned a URL without https. Nothing was sent there.',
	},
	SSRF_BLOCKED: {
		message: 'This n8n does not allow requests to the storage',
		description: 'Ask your n8n administrator to allow the addresses of the storage.',
	},
};

function describeLost(
	method: 'GET' | 'PUT',
	refusal: Extract<Refusal, { kind: 'network' }>,
): Failure {
	const { code } = refusal;
	if (Object.hasOwn(NOT_SENT, code)) return NOT_SENT[code];
	return {
		message: LOST_CONNECTIONS[networkProblem(code)],
		description: lines(
			`${code}.`,
			method === 'PUT' &&
				'It is not certain whether the file arrived. It is safe to upload it again: a storage stores a whole file or nothing.',
		),
		temporary: isTransient(refusal),
	};
}
