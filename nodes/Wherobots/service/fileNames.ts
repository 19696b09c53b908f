const MAX_LENGTH = 150;

/**
 * A text as a file name that is safe everywhere: its last path segment, without control and special
 * characters, not hidden and not endless. Empty when nothing is left.
 */
export function safeFileName(text: string): string {
	const last = text.split(/[/\\]/).at(-1) ?? '';
	const plain = last.normalize('NFC').replace(/[^\p{L}\p{M}\p{N}._ -]+/gu, '-');
	const trimmed = [...plain.replace(/^[. -]+/, '')].slice(0, MAX_LENGTH).join('');
	return trimmed.replace(/[. -]+$/, '');
}

/** The file name that a `Content-Disposition` header proposes, made safe; undefined without one. */
export function dispositionFileName(header: string | undefined): string | undefined {
	if (!header) return undefined;
	const extended = /filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(header)?.[1];
	const plain = /filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(header);
	const name = decode(extended) ?? plain?.[1]?.replace(/\\(.)/g, '$1') ?? plain?.[2];
	return safeFileName(name ?? '') || undefined;
}

function decode(text: string | undefined): string | undefined {
	if (text === undefined) return undefined;
	try {
		return decodeURIComponent(text);
	} catch {
		return undefined;
	}
}
