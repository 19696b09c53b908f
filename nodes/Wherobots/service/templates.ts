import { isErrorBody } from './types';

/**
 * The kind of an infrastructure template by its content, because the interface does not state a
 * content type or format. Undefined for a web page, which is not a template.
 *
 * @returns extension with its dot, and the media type
 */
export function templateKind(text: string): { extension: string; mimeType: string } | undefined {
	if (/^\s*<(!doctype\s+html|html)/i.test(text)) return undefined;
	return parsed(text) === undefined
		? { extension: '.yaml', mimeType: 'application/yaml' }
		: { extension: '.json', mimeType: 'application/json' };
}

/** Whether a file is an error body of the service. */
export function isErrorText(text: string): boolean {
	return isErrorBody(parsed(text));
}

/** The JSON in the text; undefined when it is something else. */
function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
