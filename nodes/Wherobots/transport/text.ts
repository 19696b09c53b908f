const MAX_TEXT = 500;
/** Enough of a web page to find its first words. */
const MAX_PAGE = 64 * 1024;

/** External text as one line of bounded length: it may not come from the service at all. */
export function clean(value: string): string {
	const line = value
		.slice(0, 4 * MAX_TEXT)
		.replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\s]+/gu, ' ')
		.trim();
	return truncate(line, MAX_TEXT);
}

/** A text of at most `max` characters, with an ellipsis when it was cut. */
export function truncate(value: string, max: number): string {
	return value.length > max ? `${value.slice(0, max).replace(/\p{Cs}$/u, '')}…` : value;
}

/** Facts, one per line; missing ones are left out. */
export function joinLines(...facts: Array<string | false | undefined>): string {
	return facts.filter(Boolean).join('\n');
}

export function filterSentences(words: string, isKept: (sentence: string) => boolean): string {
	return words
		.split(/(?<=[.!?]) /)
		.filter(isKept)
		.join(' ');
}

/** A length of time in milliseconds, as whole minutes: "1 minute". */
export function formatMinutes(ms: number): string {
	return formatCount(ms / 60_000, 'minute');
}

/** A length of time in milliseconds, as whole seconds: "30 seconds". */
export function formatSeconds(ms: number): string {
	return formatCount(ms / 1_000, 'second');
}

function formatCount(amount: number, unit: string): string {
	const count = Math.round(amount);
	return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

/** A string or number as `clean` returns it; empty for anything else. */
export function toText(value: unknown): string {
	return typeof value === 'string' || typeof value === 'number' ? clean(String(value)) : '';
}

/** A text without tags, scripts and styles, in linear time. */
export function extractVisibleText(page: string): string {
	const [before, ...others] = page.slice(0, MAX_PAGE).split(/<(?:script|style)\b/i);
	const after = others.map((part) => {
		const end = part.search(/<\/(?:script|style)/i);
		return end < 0 ? '' : part.slice(end);
	});
	return [before, ...after].join(' ').replace(/<[^<>]*>/g, ' ');
}

/** Text where n8n renders HTML: in descriptions of errors, and in hints. */
export function toHtml(text: string): string {
	return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
