import { isErrorBody } from './types';

/**
 * The kind of an infrastructure template by its content, because the interface does not state a
 * content type or format. Undefined for a web page, which is not a template.
 *
 * @returns extension with its dot, and the media type
 */
export function templateKind(
	bytes: Uint8Array,
): { extension: string; mimeType: string } | undefined {
	const text = decode(bytes);
	if (text === undefined) return { extension: '.bin', mimeType: 'application/octet-stream' };
	if (/^\s*<(!doctype\s+html|html)/i.test(text)) return undefined;
	return isJson(text)
		? { extension: '.json', mimeType: 'application/json' }
		: { extension: '.yaml', mimeType: 'application/yaml' };
}

/** The text of a file if it is an error body of the service. */
export function errorText(bytes: Uint8Array): string | undefined {
	const text = decode(bytes);
	if (text === undefined || !isJson(text)) return undefined;
	return isErrorBody(JSON.parse(text)) ? text : undefined;
}

function decode(bytes: Uint8Array): string | undefined {
	try {
		const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
		return text.includes('\0') ? undefined : text;
	} catch {
		return undefined;
	}
}

function isJson(text: string): boolean {
	try {
		return typeof JSON.parse(text) === 'object';
	} catch {
		return false;
	}
}
