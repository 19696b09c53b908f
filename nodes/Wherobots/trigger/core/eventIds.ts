/** Half of a character, which JSON can carry and an address cannot. */
const HALF_CHARACTER = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;

/** The public id of something: its parts as they would stand in an address. */
export function eventId(...parts: string[]): string {
	return parts.map((part) => encodeURIComponent(part.replace(HALF_CHARACTER, '\uFFFD'))).join('/');
}

/** Whether a text can stand in an address as it is. */
export function isWholeText(text: string): boolean {
	return text.search(HALF_CHARACTER) < 0;
}
