const MAX_TEXT = 500;
/** Enough of a web page to find its first words. */
const MAX_PAGE = 64 * 1024;

/** External text as one line of bounded length: it may not come from the service at all. */
export function clean(value: string): string {
	const line = value
		.slice(0, 4 * MAX_TEXT)
		.replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\s]+/gu, ' ')
		.trim();
	return bounded(line, MAX_TEXT);
}

/** A text of at most `max` characters, with an ellipsis when it was cut. */
export function bounded(value: string, max: number): string {
	return value.length > max ? `${value.slice(0, max).replace(/\p{Cs}$/u, '')}…` : value;
}

/** Facts, one per line; missing ones are left out. */
export function lines(...facts: Array<string | false | undefined>): string {
	return facts.filter(Boolean).join('\n');
}

/** A length of time in milliseconds, as whole minutes: "1 minute". */
export function minutes(ms: number): string {
	return counted(ms / 60_000, 'minute');
}

/** The same as whole seconds. */
export function seconds(ms: number): string {
	return counted(ms / 1_000, 'second');
}

function counted(amount: number, unit: string): string {
	const count = Math.round(amount);
	return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

/** A string or number as `clean` returns it; empty for anything else. */
export function text(value: unknown): string {
	return typeof value === 'string' || typeof value === 'number' ? clean(String(value)) : '';
}

/** A text without tags, scripts and styles, in linear time. */
export function visibleText(page: string): string {
	const [before, ...others] = page.slice(0, MAX_PAGE).split(/<(?:script|style)\b/i);
	const after = others.map((part) => {
		const end = part.search(/<\/(?:script|style)/i);
		return end < 0 ? '' : part.slice(end);
	});
	return [before, ...after].join(' ').replace(/<[^<>]*>/g, ' ');
}

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

/** Text where n8n renders HTML: in descriptions of errors, and in hints. */
export function asHtml(text: string): string {
	return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** How a secret is written in plain text, JSON and URLs. Some JSON writers also escape slashes. */
function spellings(secret: string): string[] {
	const inJson = JSON.stringify(secret).slice(1, -1);
	const inUrl = encodeURIComponent(secret.toWellFormed());
	return [...new Set([secret, inJson, inJson.replaceAll('/', '\\/'), inUrl])];
}
