import type { Failure } from '../failures/failure';
import { lines } from '../failures/plainText';
import type { Attempt } from '../pace/retry';
import type { PresignedResult } from './presigned';

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

/** What happened to a connection, by the code of the socket or the HTTP client. */
const LOST: Array<[RegExp, string]> = [
	[
		/^(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH)$/,
		'Could not connect to the storage',
	],
	[/^(ETIMEDOUT|ECONNABORTED|ESOCKETTIMEDOUT|ERR_TIMEOUT)$/, 'The storage did not respond in time'],
	[
		/^(CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|ERR_TLS)/,
		'The certificate of the storage is not trusted',
	],
];

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
		message:
			LOST.find(([pattern]) => pattern.test(code))?.[1] ?? 'The connection to the storage was lost',
		description: lines(
			`${code}.`,
			action === 'upload' &&
				'It is not certain whether the file arrived. Uploading it again does no harm: a storage keeps a whole file or nothing.',
		),
		passing: true,
	};
}
