/** Shorter texts are not secrets, and replacing them would garble responses. */
const MIN_SECRET_LENGTH = 8;

const MASK = '***';

/**
 * Replaces every occurrence of the secrets in a text, so that a response that echoes them leaks
 * nothing: as they are, as part of a URL, and in JSON.
 */
export function redact(text: string, secrets: readonly string[]): string {
	return spellingsOf(secrets).reduce(
		(clean, secret) => (clean.includes(secret) ? clean.replaceAll(secret, MASK) : clean),
		text,
	);
}

/** The query of an address that authorizes by itself: S3 in both its forms, Google, Azure. */
const SIGNED_QUERY =
	/\?[^\s"'<>]*?\b(X-(Amz|Goog)-(Signature|Credential|Security-Token)|Signature|AWSAccessKeyId|sig)=[^\s"'<>]*/gi;

/** The text without what makes an address of a storage a secret: whoever has that can use it. */
export function withoutSignatures(text: string): string {
	return text.replace(SIGNED_QUERY, `?${MASK}`);
}

/** By the list of secrets, which stays the same from one response to the next. */
const allSpellings = new WeakMap<readonly string[], string[]>();

/** All spellings of the secrets, the longest first: masking a prefix first would leave the rest. */
function spellingsOf(secrets: readonly string[]): string[] {
	let hidden = allSpellings.get(secrets);
	if (!hidden) {
		hidden = secrets
			.filter((secret) => secret.length >= MIN_SECRET_LENGTH)
			.flatMap(spellings)
			.sort((a, b) => b.length - a.length);
		allSpellings.set(secrets, hidden);
	}
	return hidden;
}

/** How a secret is written in plain text, JSON and URLs. Some writers of JSON escape slashes too. */
function spellings(secret: string): string[] {
	const inJson = JSON.stringify(secret).slice(1, -1);
	const inUrl = encodeURIComponent(secret.replace(/\p{Cs}/gu, '\uFFFD'));
	return [...new Set([secret, inJson, inJson.replaceAll('/', '\\/'), inUrl])];
}
