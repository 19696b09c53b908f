/** Shorter texts are not secrets, and replacing them would garble responses. */
const MIN_SECRET_LENGTH = 8;

const MASK = '***';

/**
 * Replaces every occurrence of the secrets in a text, so that a response that echoes them leaks
 * nothing: as they are, as part of a URL, and in JSON however it escapes them.
 */
export function redact(text: string, secrets: readonly string[]): string {
	const hidden = spellingsOf(secrets);
	const clean = mask(text, hidden);
	// Most responses contain no escapes, and searching for one character is many times faster.
	if (!clean.includes('\\') || !/\\(u00|\/)/i.test(clean)) return clean;
	const plain = withoutNeedlessEscapes(clean);
	return hidden.some((secret) => plain.includes(secret)) ? mask(plain, hidden) : clean;
}

/** The query of an address that authorizes by itself: S3 in both its forms, Google, Azure. */
const SIGNED_QUERY =
	/\?[^\s"'<>]*?\b(X-(Amz|Goog)-(Signature|Credential|Security-Token)|Signature|AWSAccessKeyId|sig)=[^\s"'<>]*/gi;

/** The text without what makes an address of a storage a secret: whoever has that can use it. */
export function withoutSignatures(text: string): string {
	return text.replace(SIGNED_QUERY, `?${MASK}`);
}

function mask(text: string, hidden: readonly string[]): string {
	let clean = text;
	for (const secret of hidden) {
		if (clean.includes(secret)) clean = clean.replaceAll(secret, MASK);
	}
	return clean;
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

/** How a secret is written in plain text, JSON and URLs. */
function spellings(secret: string): string[] {
	const inJson = JSON.stringify(secret).slice(1, -1);
	const inJsonInJson = JSON.stringify(inJson).slice(1, -1);
	return [
		...new Set([
			secret,
			inJson,
			inJsonInJson,
			encodeURIComponent(secret.replace(/\p{Cs}/gu, '\uFFFD')),
		]),
	];
}

/** The same JSON without escapes that ASCII characters do not need: `\u0041` is A, `\/` is a slash. */
function withoutNeedlessEscapes(text: string): string {
	return text.replace(/\\(?:u00([2-7][0-9a-f])|[^])/gi, (escape, hex: string | undefined) => {
		if (escape === '\\/') return '/';
		const character = hex ? String.fromCharCode(parseInt(hex, 16)) : '"';
		return character === '"' || character === '\\' ? escape : character;
	});
}
