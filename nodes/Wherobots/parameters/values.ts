/** The value that a JSON text stands for; undefined when it is none. */
export function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** What an object is, in a message. */
export function kindOf(value: object): string {
	return Array.isArray(value) ? 'a list' : 'an object';
}

/** A value in a message: short, and recognisable. */
export function show(value: unknown): string {
	const text = typeof value === 'string' ? `"${value}"` : (JSON.stringify(value) ?? 'undefined');
	return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
