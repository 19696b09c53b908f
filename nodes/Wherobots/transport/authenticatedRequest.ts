import type {
	IAllExecuteFunctions,
	ICredentialDataDecryptedObject,
	IHttpRequestOptions,
} from 'n8n-workflow';

import { secretsOf } from '../service/secret';
import { clock } from './clock';

/** n8n's request helper with the credential already applied. */
export interface AuthenticatedRequester {
	/** Sends a request, as n8n's helper does. */
	request(options: IHttpRequestOptions): Promise<unknown>;
	/** All secrets that the credential has held so far: to be kept out of answers and errors. */
	readonly secrets: readonly string[];
	/** The fields of the credential, not older than a few seconds. */
	credential(): Promise<ICredentialDataDecryptedObject>;
}

type NodeContext = Pick<IAllExecuteFunctions, 'helpers' | 'logger' | 'getNode' | 'getCredentials'>;

/** How long a credential that was read is used again: a key that was rotated meanwhile is soon taken up. */
const CREDENTIAL_FRESH_MS = 5_000;

/**
 * The requester of a node: n8n's helper knows proxies, certificates and which addresses are allowed. It
 * would read the credential for each request, which is a query and several decryptions; here it gets
 * one that was read a moment ago.
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
		// With another address it is another credential: its key is not for the address in use.
		if (used && fields.baseUrl !== used.baseUrl) return used;
		used = fields;
		// A secret that was rotated meanwhile stays one.
		const unknown = secretsOf(fields).filter((secret) => !secrets.includes(secret));
		if (unknown.length > 0) secrets = [...secrets, ...unknown];
		return fields;
	};
	const credential = async () => {
		if (!reading || clock.monotonic() - readAt > CREDENTIAL_FRESH_MS) {
			readAt = clock.monotonic();
			const begun = read();
			reading = begun;
			// What failed is asked for again.
			begun.catch(() => {
				if (reading === begun) reading = undefined;
			});
		}
		// The helper writes into what it gets.
		return { ...(await reading) };
	};

	// The helper takes the cancel signal from `this`; ours is decided per request.
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
		request: async (options) => (await helper.call(detached, type, options)) as unknown,
	};
}
