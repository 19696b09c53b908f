/** The service's address unless the credential names another one. */
export const DEFAULT_BASE_URL = 'https://api.cloud.wherobots.com';

/** Host of the web console; the API has another. */
const CONSOLE_HOST = 'cloud.wherobots.com';

/** The value of the field is not quoted: someone may have pasted a key into it. */
const WHAT_TO_ENTER = `Enter ${DEFAULT_BASE_URL}, or the address of your own deployment.`;

export type BaseUrl = { ok: true; url: string } | { ok: false; problem: string };

/** Whether a host name means this machine, for which plain http does not cross a network. */
export function isLoopbackHost(hostname: string): boolean {
	const host = hostname.toLowerCase().replace(/^\[|\]$/g, '');
	return (
		host === 'localhost' ||
		host.endsWith('.localhost') ||
		host === '::1' ||
		/^127(\.\d{1,3}){3}$/.test(host)
	);
}

/**
 * Reads the base URL of a credential: https only (plain http for a loopback host), any path kept,
 * trailing slashes dropped. A problem is a sentence about the 'Base URL' field.
 */
export function readBaseUrl(input: unknown): BaseUrl {
	const text = typeof input === 'string' ? input.trim() : input;
	if (text === '' || text === undefined || text === null)
		return { ok: true, url: DEFAULT_BASE_URL };
	if (typeof text !== 'string') return fail(`'Base URL' must be text, such as ${DEFAULT_BASE_URL}`);
	const url = parse(text);
	if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
		return fail(`'Base URL' must start with https://. ${WHAT_TO_ENTER}`);
	}
	if (url.username || url.password) {
		return fail("'Base URL' must not contain a user name or password");
	}
	if (url.search || url.hash) return fail("'Base URL' must not contain '?' or '#'");
	if (url.protocol === 'http:' && !isLoopbackHost(url.hostname)) {
		return fail(
			`'Base URL' must start with https://, so that the key is not sent unencrypted. ${WHAT_TO_ENTER}`,
		);
	}
	if (url.hostname.replace(/\.$/, '') === CONSOLE_HOST) {
		return fail(
			`'Base URL' must be the address of the API, not of the web console. ${WHAT_TO_ENTER}`,
		);
	}
	return { ok: true, url: url.origin + url.pathname.replace(/\/+$/, '') };
}

function parse(text: string): URL | undefined {
	try {
		return new URL(text);
	} catch {
		return undefined;
	}
}

function fail(problem: string): BaseUrl {
	return { ok: false, problem };
}
