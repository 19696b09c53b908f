import { createHash } from 'crypto';

import {
	type IAllExecuteFunctions,
	type ICredentialDataDecryptedObject,
	type IHttpRequestOptions,
} from 'n8n-workflow';

import { parseBaseUrl } from '../service/deployment';
import { clock } from './clock';
import { Failure } from './failure';

/** The key or token of a credential, ready for its header. */
interface UsableSecret {
	ok: true;
	kind: 'apiKey' | 'bearerToken';
	value: string;
}

/** The secret of a credential, or what is wrong with it. */
type Secret = UsableSecret | { ok: false; problem: string };

/** The fields of the credential that hold a secret, and which of them is used. */
interface SecretFields {
	authentication?: unknown;
	apiKey?: unknown;
	bearerToken?: unknown;
}

/**
 * Reads the secret of a credential (interface, "Authentication"): trimmed, and without the word Bearer
 * that tools show before a token. A problem is a sentence about the field; it never quotes the value.
 */
export function parseSecret(fields: SecretFields): Secret {
	const kind = fields.authentication === 'bearerToken' ? 'bearerToken' : 'apiKey';
	const label = kind === 'apiKey' ? 'API Key' : 'Bearer Token';
	const value = trimSecret(fields[kind], kind);
	if (value === '') {
		return { ok: false, problem: `'${label}' is empty in the Wherobots API credential` };
	}
	if (/^(["']).*\1$/.test(value)) {
		const problem = `'${label}' in the Wherobots API credential is in quotation marks: remove them.`;
		return { ok: false, problem };
	}
	if (!/^[\x21-\x7e]+$/.test(value)) {
		return {
			ok: false,
			problem: `'${label}' in the Wherobots API credential contains a space or another character that is not allowed. Copy it again.`,
		};
	}
	return { ok: true, kind, value };
}

/** The header that carries the secret (interface, "Authentication"). */
export function toSecretHeader({ kind, value }: UsableSecret): Record<string, string> {
	return kind === 'bearerToken' ? { Authorization: `Bearer ${value}` } : { 'X-API-Key': value };
}

/** Every secret that a credential holds, in use or not. */
export function listSecrets(fields: SecretFields): string[] {
	const { apiKey, bearerToken } = fields;
	return [trimSecret(apiKey, 'apiKey'), trimSecret(bearerToken, 'bearerToken')].filter(Boolean);
}

function trimSecret(value: unknown, kind: 'apiKey' | 'bearerToken'): string {
	const text = typeof value === 'string' ? value.trim() : '';
	return kind === 'bearerToken' ? text.replace(/^Bearer(\s+|$)/i, '') : text;
}

/** n8n's request helper, bound to a credential. */
export interface AuthenticatedRequester {
	request(options: IHttpRequestOptions): Promise<unknown>;
	/** All secrets that the credential has held so far, in use or not: masked in responses and errors. */
	readonly secrets: readonly string[];
	/** @throws Failure when the base URL or the secret of the credential cannot be used */
	account(): Promise<Account>;
	/**
	 * The secret in it.
	 *
	 * @throws Error with a `code` when n8n cannot load the credential or it holds no usable secret
	 */
	usableSecret(): Promise<UsableSecret>;
}

/** Where requests go, and for whom. */
interface Account {
	/** Without a trailing slash. */
	baseUrl: string;
	/** Identifies the base URL and the secret without revealing the secret. */
	id: string;
}

/** Nothing was sent, because n8n could not load the credential or it holds no usable secret. */
const toUnsent = (code: 'CREDENTIAL_UNREADABLE' | 'CREDENTIAL_UNUSABLE', message: string) =>
	Object.assign(new Error(message), { code });

type NodeContext = Pick<IAllExecuteFunctions, 'helpers' | 'logger' | 'getNode' | 'getCredentials'>;

const CREDENTIAL = 'wherobotsApi';

/** How long a credential is reused before it is read again, to pick up a rotated key soon. */
const CREDENTIAL_FRESH_MS = 5_000;

/**
 * The requester of a node: n8n's helper handles proxies, certificates and address filters. On its own
 * it would read the credential for each request, which costs a query and several decryptions; here
 * it gets one that was read a moment ago.
 */
export function createRequester(context: NodeContext): AuthenticatedRequester {
	let secrets: readonly string[] = [];
	let used: ICredentialDataDecryptedObject | undefined;
	let reading: Promise<ICredentialDataDecryptedObject> | undefined;
	let readAt = 0;

	const read = async () => {
		const fields = await context.getCredentials(CREDENTIAL);
		// With another base URL it is another credential, whose key must not be sent to this URL.
		if (used && fields.baseUrl !== used.baseUrl) return used;
		used = fields;
		// A secret that has been rotated out is still masked.
		const held = [...new Set([...secrets, ...listSecrets(fields)])];
		if (held.length > secrets.length) secrets = held;
		return fields;
	};
	const credential = async () => {
		if (!reading || clock.monotonic() - readAt > CREDENTIAL_FRESH_MS) {
			readAt = clock.monotonic();
			const current = read();
			reading = current;
			// Read again after a failure.
			current.catch(() => {
				if (reading === current) reading = undefined;
			});
		}
		// The helper modifies the object that it gets.
		return { ...(await reading) };
	};

	const usableSecret = async () => {
		const fields = await credential().catch((error: Error) => {
			throw toUnsent('CREDENTIAL_UNREADABLE', error.message);
		});
		const secret = parseSecret(fields);
		if (!secret.ok) throw toUnsent('CREDENTIAL_UNUSABLE', secret.problem);
		return secret;
	};

	const account = async () => {
		const fields = await credential();
		const base = parseBaseUrl(fields.baseUrl);
		const secret = parseSecret(fields);
		if (base.ok && secret.ok) {
			const id = createHash('sha256').update(`${base.url}\n${secret.value}`).digest('hex');
			return { baseUrl: base.url, id };
		}
		const problem = base.ok ? (secret as { problem: string }).problem : base.problem;
		throw new Failure({
			message: problem,
			description: 'Correct it in the Wherobots API credential of this node.',
			isInput: true,
		});
	};

	// The helper would take the cancel signal from `this`; here each request brings its own.
	const detached = {
		helpers: context.helpers,
		logger: context.logger,
		getNode: () => context.getNode(),
		getCredentials: credential,
	} as unknown as IAllExecuteFunctions;
	const helper = context.helpers.httpRequestWithAuthentication;
	return {
		get secrets() {
			return secrets;
		},
		account,
		usableSecret,
		request: async (options) => {
			// Checked here because the helper does not tell whether a failure came before the request.
			await usableSecret();
			return (await helper.call(detached, CREDENTIAL, options)) as unknown;
		},
	};
}
