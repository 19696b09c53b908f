import type { Client } from '../client';
import { CancelledError } from '../clock';
import type { Failure } from '../failures/failure';
import { networkProblem, type NetworkProblem } from '../failures/requestFailure';
import { lines } from '../failures/plainText';
import { retriesOf } from '../pace/pacedRequest';
import type { Attempt } from '../pace/retry';
import type { PresignedResult } from './presigned';

/** How many URLs are tried when the storage rejects them. */
const MAX_URLS = 2;

type Accepted = Extract<PresignedResult, { kind: 'stream' }>;

/**
 * Requests a presigned URL and uses it, again from the start when the storage fails or treats the URL
 * as expired, as often as the retry policy allows. Each attempt uses a new URL.
 *
 * @param attempt requests a URL and sends one request to it
 * @throws NodeApiError when the last attempt failed
 * @throws CancelledError when the execution is cancelled
 */
export async function withPresignedUrl(
	client: Client,
	action: StorageAction,
	attempt: () => Promise<PresignedResult>,
): Promise<Accepted> {
	const mayRetry = retriesOf(client);
	for (let addresses = 1; ; ) {
		const result = await attempt();
		if (result.kind === 'stream') return result;
		if (client.signal?.aborted) throw new CancelledError();
		if (mayHaveExpired(result) && addresses++ < MAX_URLS) continue;
		const isSafe = result.kind === 'refused' || result.code !== 'INSECURE_ADDRESS';
		if (!isSafe || !(await mayRetry(attemptOf(result)))) {
			throw client.error(describeStorage(action, result));
		}
	}
}

/** Any other result than success. */
export type Refusal = Exclude<PresignedResult, { kind: 'stream' }>;

export type StorageAction = 'upload' | 'download';

/** A failed request to a storage, for the retry policy. */
export function attemptOf(refusal: Refusal): Attempt {
	if (refusal.kind === 'network') return { kind: 'network', code: refusal.code };
	// S3 may fail after sending a successful status.
	return { kind: 'response', status: refusal.status < 300 ? 503 : refusal.status };
}

/**
 * Whether another URL may be accepted: URLs expire after a few minutes, and storages report that with
 * the same status as denied access.
 */
export function mayHaveExpired(refusal: Refusal): boolean {
	return refusal.kind === 'refused' && (refusal.status === 403 || refusal.status === 400);
}

const HINTS: Record<string, string> = {
	AccessDenied: 'The URL had only just been issued, so the storage itself denies access.',
	EntityTooLarge: 'S3 accepts at most 5 GB in one upload.',
	NoSuchKey: 'There is no file at this path in the storage.',
	SlowDown: 'Try again later.',
};

/** Explains a failed request to a storage. Never shows its URL. Pure. */
export function describeStorage(action: StorageAction, refusal: Refusal): Failure {
	if (refusal.kind === 'network') return describeLost(action, refusal.code);
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
	const temporary = status === 429 || status >= 500 || status < 300;
	return {
		message:
			action === 'upload' ? 'The storage rejected the file' : 'The storage did not return the file',
		description: lines(
			`HTTP ${status}${code ? `, ${code}` : ''} from the storage.`,
			HINTS[code ?? ''] ?? (temporary && 'Try again later.'),
		),
		httpCode,
		codes: code ? [code] : [],
		temporary,
	};
}

const LOST: Record<NetworkProblem, string> = {
	notFound: 'Could not connect to the storage',
	refused: 'Could not connect to the storage',
	timeout: 'The storage did not respond in time',
	certificate: 'The certificate of the storage is not trusted',
	other: 'The connection to the storage was lost',
};

function describeLost(action: StorageAction, code: string): Failure {
	if (code === 'INSECURE_ADDRESS') {
		return {
			message: 'The URL for the file is not secure',
			description: 'Wherobots Cloud returned a URL without https. Nothing was sent there.',
		};
	}
	if (code === 'SSRF_BLOCKED') {
		return {
			message: 'This n8n does not allow requests to the storage',
			description: 'Ask your n8n administrator to allow the addresses of the storage.',
		};
	}
	return {
		message: LOST[networkProblem(code)],
		description: lines(
			`${code}.`,
			action === 'upload' &&
				'It is not certain whether the file arrived. It is safe to upload it again: a storage stores a whole file or nothing.',
		),
		temporary: true,
	};
}
