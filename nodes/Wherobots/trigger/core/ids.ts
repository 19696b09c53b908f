import { createHash } from 'node:crypto';

/** A short, evenly distributed name for a text: 6 bits a character. Of 96 bits, no two texts are likely to have the same. */
export function digest(text: string, length = 16): string {
	return createHash('sha256').update(text).digest('base64url').slice(0, length);
}

/** The public ID of something: its parts, escaped as in a URL, which cannot contain half characters. */
export function eventId(...parts: string[]): string {
	return parts.map((part) => encodeURIComponent(part.toWellFormed())).join('/');
}
