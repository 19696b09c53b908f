import { createHash } from 'node:crypto';

/** 96 bits: two records with the same digest are not to be expected in the life of the universe. */
const LENGTH = 16;

/** A short, evenly distributed name for a text: 6 bits a character. */
export function digest(text: string, length = LENGTH): string {
	return createHash('sha256').update(text).digest('base64url').slice(0, length);
}

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
