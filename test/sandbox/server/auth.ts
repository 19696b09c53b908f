/** Authentication and roles: interface.md "Authentication". */
import { ServiceError } from './errors';
import type { Route } from './route';

export type CallerRole = keyof typeof credentials;

export interface Caller {
	role: CallerRole;
	scheme: 'apiKey' | 'bearerToken';
	/** The customer ID: whose key it is, and by whom a run is triggered. */
	customerId: string;
	/** What was sent, for faults that echo it and limits that count by it. */
	secret: string;
}

export const credentials = {
	/** Organization admin in a paid edition. */
	admin: { apiKey: 'sandbox-admin-key-000001', bearerToken: 'sandbox-admin-token-000001' },
	/** Member without the admin role. */
	user: { apiKey: 'sandbox-user-key-000002', bearerToken: 'sandbox-user-token-000002' },
	/** Admin in an edition that may neither run jobs nor export. */
	community: {
		apiKey: 'sandbox-community-key-000003',
		bearerToken: 'sandbox-community-token-000003',
	},
};

/** Everything that authenticates somebody. */
export const KEYS = Object.values(credentials).flatMap((own) => [own.apiKey, own.bearerToken]);

type Headers = Record<string, string | string[] | undefined>;

/** The key or token as sent, whether valid or not. */
export function sentSecret(headers: Headers): { scheme: Caller['scheme']; secret: string } | null {
	const key = headers['x-api-key'];
	if (typeof key === 'string') return { scheme: 'apiKey', secret: key };
	const bearer = /^Bearer (.+)$/i.exec(headers.authorization?.toString() ?? '');
	return bearer ? { scheme: 'bearerToken', secret: bearer[1] } : null;
}

/** Finds out who is calling, or throws 401. `lookup` knows the keys that exist besides the fixed ones. */
export function authenticate(
	headers: Headers,
	lookup: (scheme: Caller['scheme'], secret: string) => Omit<Caller, 'scheme' | 'secret'> | null,
): Caller {
	const sent = sentSecret(headers);
	const found = sent && lookup(sent.scheme, sent.secret);
	if (!sent || !found) {
		throw new ServiceError(401, {
			details: sent
				? 'The credentials are not valid.'
				: 'Send an API key in X-API-Key, or a bearer token in Authorization.',
		});
	}
	return { ...found, ...sent };
}

/** Throws 403 when the caller's role or edition isn't enough for the route. */
export function authorize(route: Route, caller: Caller): void {
	const forbid = (details: string) => new ServiceError(403, { details });
	if (route.paidOnly && caller.role === 'community') {
		throw forbid('A Professional, Innovation or Enterprise Edition organization is required.');
	}
	if (route.adminOnly && caller.role === 'user') {
		throw forbid('Only an organization Admin may do this.');
	}
}
