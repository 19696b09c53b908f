/** Text from outside made fit for a person: short, without markup, on one line. */

const MAX_TEXT = 500;
/** Enough of a web page to find its first words. */
const MAX_PAGE = 64 * 1024;

/** Text from outside as one line of bounded length: it may come from anything but the service. */
export function clean(value: string): string {
	const line = value
		.slice(0, 4 * MAX_TEXT)
		.replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\s]+/gu, ' ')
		.trim();
	return bounded(line, MAX_TEXT);
}

/** A text of at most `max` characters, and an ellipsis where there were more. */
export function bounded(value: string, max: number): string {
	return value.length > max ? `${value.slice(0, max).replace(/\p{Cs}$/u, '')}…` : value;
}

/** Facts, one a line; those that are missing are left out. */
export function lines(...facts: Array<string | false | undefined>): string {
	return facts.filter(Boolean).join('\n');
}

/** A text or number as `clean` gives it; anything else is no text. */
export function text(value: unknown): string {
	return typeof value === 'string' || typeof value === 'number' ? clean(String(value)) : '';
}

/** A text without tags, scripts and styles. Every step looks at each character once. */
export function visibleText(page: string): string {
	const [before, ...others] = page.slice(0, MAX_PAGE).split(/<(?:script|style)\b/i);
	const after = others.map((part) => {
		const end = part.search(/<\/(?:script|style)/i);
		return end < 0 ? '' : part.slice(end);
	});
	return [before, ...after].join(' ').replace(/<[^<>]*>/g, ' ');
}
