import type { Client } from '../client';
import { CancelledError } from '../clock';
import type { Failure } from '../failures/failure';
import { networkProblem, type NetworkProblem } from '../failures/networkFailure';
import { lines } from '../failures/plainText';
import { retriesOf } from '../pace/pacedRequest';
import type { Attempt } from '../pace/retry';
import type { PresignedResult } from './presigned';

/** So often a new address is asked for because the last one was refused. */
const MAX_NEW_ADDRESSES = 2;

type Accepted = Extract<PresignedResult, { kind: 'stream' }>;

/**
 * Asks for an address and uses it, again from the start when the storage is out of order or takes
 * the address for an old one, as often as the retry policy allows. Each attempt has a new address.
 *
 * @param attempt one request for an address and one to it
 * @throws NodeApiError when the storage refused the last attempt
 * @throws CancelledError when the execution is cancelled
 */
export async function withAddress(
	client: Client,
	action: StorageAction,
	attempt: () => Promise<PresignedResult>,
): Promise<Accepted> {
	const mayRetry = retriesOf(client);
	for (let addresses = 1; ; ) {
		const result = await attempt();
		if (result.kind === 'stream') return result;
		if (client.signal?.aborted) throw new CancelledError();
		if (mayHaveExpired(result) && addresses++ < MAX_NEW_ADDRESSES) continue;
		const isSafe = result.kind === 'refused' || result.code !== 'INSECURE_ADDRESS';
		if (!isSafe || !(await mayRetry(attemptOf(result)))) {
			throw client.error(describeStorage(action, result));
		}
	}
}

/** Any other result than success. */
export type Refusal = Exclude<PresignedResult, { kind: 'stream' }>;

/** What was to be done, for the words of a failure. */
export type StorageAction = 'upload' | 'download';

/** A failed request to a storage as the retry policy sees it. */
export function attemptOf(refusal: Refusal): Attempt {
	if (refusal.kind === 'network') return { kind: 'network', code: refusal.code };
	// S3 may find out that it cannot do what it has already accepted.
	return { kind: 'status', status: refusal.status < 300 ? 503 : refusal.status };
}

/**
 * Whether another address may be accepted: an address is good for a few minutes, and storages say
 * that one has expired with the same status as that access is denied.
 */
export function mayHaveExpired(refusal: Refusal): boolean {
	return refusal.kind === 'refused' && (refusal.status === 403 || refusal.status === 400);
}

const HINTS: Record<string, string> = {
	AccessDenied:
		'The address had only just been issued, so the storage itself does not permit this.',
	EntityTooLarge: 'S3 takes at most 5 GB in one upload.',
	NoSuchKey: 'There is no file at this path in the storage.',
	SlowDown: 'Try again later.',
};

/** Explains what a storage said, or that it said nothing. Never shows an address. Pure. */
export function describeStorage(action: StorageAction, refusal: Refusal): Failure {
	if (refusal.kind === 'network') return describeLost(action, refusal.code);
	const { status, code } = refusal;
	const httpCode = String(status);
	if (status >= 300 && status < 400) {
		return {
			message: 'The storage redirects to another address',
			description:
				'The redirect was not followed: an address from Wherobots Cloud is only valid as issued.',
			httpCode,
		};
	}
	const passing = status === 429 || status >= 500 || status < 300;
	return {
		message:
			action === 'upload' ? 'The storage refused the file' : 'The storage did not return the file',
		description: lines(
			`HTTP ${status}${code ? `, ${code}` : ''} from the storage.`,
			HINTS[code ?? ''] ?? (passing && 'Try again later.'),
		),
		httpCode,
		codes: code ? [code] : [],
		passing,
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
			message: 'The address for the file is not secure',
			description: 'Wherobots Cloud returned an address without https. Nothing was sent there.',
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
				'It is not certain whether the file arrived. Uploading it again does no harm: a storage keeps a whole file or nothing.',
		),
		passing: true,
	};
}
