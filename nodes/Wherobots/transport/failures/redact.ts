/** Shorter texts are not secrets; replacing them would garble responses. */
const MIN_SECRET_LENGTH = 8;

const MASK = '***';

/** Masks the secrets in a text, in plain text, URLs and JSON, in case a response echoes them. */
export function redact(text: string, secrets: readonly string[]): string {
	return spellingsOf(secrets).reduce(
		(clean, secret) => (clean.includes(secret) ? clean.replaceAll(secret, MASK) : clean),
		text,
	);
}

/** The query of a presigned URL of S3 (both forms), Google or Azure. */
const SIGNED_QUERY =
	/\?[^\s"'<>]*?\b(X-(Amz|Goog)-(Signature|Credential|Security-Token)|Signature|AWSAccessKeyId|sig)=[^\s"'<>]*/gi;

/** The text with the queries of presigned URLs masked, which grant access to anyone. */
export function withoutSignatures(text: string): string {
	return text.replace(SIGNED_QUERY, `?${MASK}`);
}

/** By list of secrets, which is the same array from one response to the next. */
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

/** How a secret is written in plain text, JSON and URLs. Some JSON writers also escape slashes. */
function spellings(secret: string): string[] {
	const inJson = JSON.stringify(secret).slice(1, -1);
	const inUrl = encodeURIComponent(secret.toWellFormed());
	return [...new Set([secret, inJson, inJson.replaceAll('/', '\\/'), inUrl])];
}
