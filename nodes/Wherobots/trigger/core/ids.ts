import { createHash } from 'node:crypto';

/** 96 bits: two records with the same digest are not to be expected in the life of the universe. */
const LENGTH = 16;

/** A short, evenly distributed name for a text: 6 bits a character. */
export function digest(text: string, length = LENGTH): string {
	return createHash('sha256').update(text).digest('base64url').slice(0, length);
}

/** The public id of something: its parts as they would stand in an address, which cannot carry half characters. */
export function eventId(...parts: string[]): string {
	return parts.map((part) => encodeURIComponent(part.toWellFormed())).join('/');
}
