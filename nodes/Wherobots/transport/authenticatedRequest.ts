import type {
	IAllExecuteFunctions,
	ICredentialDataDecryptedObject,
	IHttpRequestOptions,
} from 'n8n-workflow';

import { readSecret, secretsOf, type UsableSecret } from '../service/secret';
import { clock } from './clock';

/** n8n's request helper, bound to a credential. */
export interface AuthenticatedRequester {
	request(options: IHttpRequestOptions): Promise<unknown>;
	/** All secrets that the credential has held so far, in use or not: masked in responses and errors. */
	readonly secrets: readonly string[];
	/** The fields of the credential, at most a few seconds old. */
	credential(): Promise<ICredentialDataDecryptedObject>;
	/**
	 * The secret in it.
	 *
	 * @throws CredentialError when n8n cannot load the credential or it holds no usable secret
	 */
	usableSecret(): Promise<UsableSecret>;
}

/** Nothing was sent, because n8n could not load the credential or it holds no usable secret. */
export class CredentialError extends Error {
	override readonly name = 'CredentialError';

	constructor(
		readonly code: 'CREDENTIAL_UNREADABLE' | 'CREDENTIAL_UNUSABLE',
		message: string,
	) {
		super(message);
	}
}

type NodeContext = Pick<IAllExecuteFunctions, 'helpers' | 'logger' | 'getNode' | 'getCredentials'>;

/** How long a credential is reused before it is read again, to pick up a rotated key soon. */
const CREDENTIAL_FRESH_MS = 5_000;

/**
 * The requester of a node: n8n's helper handles proxies, certificates and address filters. On its own
 * it would read the credential for each request, which costs a query and several decryptions; here
 * it gets one that was read a moment ago.
 *
 * @param type the credential's name
 */
export function authenticatedRequester(context: NodeContext, type: string): AuthenticatedRequester {
	let secrets: readonly string[] = [];
	let used: ICredentialDataDecryptedObject | undefined;
	let reading: Promise<ICredentialDataDecryptedObject> | undefined;
	let readAt = 0;

	const read = async () => {
		const fields = await context.getCredentials(type);
		// With another base URL it is another credential, whose key must not be sent to this URL.
		if (used && fields.baseUrl !== used.baseUrl) return used;
		used = fields;
		// A secret that has been rotated out is still masked.
		const held = [...new Set([...secrets, ...secretsOf(fields)])];
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
			throw new CredentialError('CREDENTIAL_UNREADABLE', error.message);
		});
		const secret = readSecret(fields);
		if (!secret.ok) throw new CredentialError('CREDENTIAL_UNUSABLE', secret.problem);
		return secret;
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
		credential,
		usableSecret,
		request: async (options) => {
			// Checked here because the helper does not tell whether a failure came before the request.
			await usableSecret();
			return (await helper.call(detached, type, options)) as unknown;
		},
	};
}
