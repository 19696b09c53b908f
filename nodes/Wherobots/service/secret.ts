/** The key or token of a credential, ready for its header. */
export interface UsableSecret {
	ok: true;
	kind: 'apiKey' | 'bearerToken';
	value: string;
}

/** The secret of a credential, or what is wrong with it. */
export type Secret = UsableSecret | { ok: false; problem: string };

/** The fields of the credential that hold a secret, and which of them is used. */
export interface SecretFields {
	authentication?: unknown;
	apiKey?: unknown;
	bearerToken?: unknown;
}

/**
 * Reads the secret of a credential (interface, "Authentication"): trimmed, and without the word Bearer
 * that tools show before a token. A problem is a sentence about the field; it never quotes the value.
 */
export function readSecret(fields: SecretFields): Secret {
	const kind = fields.authentication === 'bearerToken' ? 'bearerToken' : 'apiKey';
	const label = kind === 'apiKey' ? 'API Key' : 'Bearer Token';
	const value = textOf(fields[kind], kind);
	if (value === '') {
		return { ok: false, problem: `'${label}' is empty in the Wherobots API credential` };
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
export function secretHeader({ kind, value }: UsableSecret): Record<string, string> {
	return kind === 'bearerToken' ? { Authorization: `Bearer ${value}` } : { 'X-API-Key': value };
}

/** Every secret that a credential holds, in use or not. */
export function secretsOf(fields: SecretFields): string[] {
	return [textOf(fields.apiKey, 'apiKey'), textOf(fields.bearerToken, 'bearerToken')].filter(
		Boolean,
	);
}

function textOf(value: unknown, kind: 'apiKey' | 'bearerToken'): string {
	const text = typeof value === 'string' ? value.trim() : '';
	return kind === 'bearerToken' ? text.replace(/^Bearer(\s+|$)/i, '') : text;
}
