import { decode } from 'cborg';

import { parseJson } from '../json';

/**
 * The message in a frame of a SQL session: text is JSON, bytes are CBOR. Integers that a JavaScript
 * number cannot hold arrive as the string of their digits.
 *
 * @throws SyntaxError when the frame holds no message
 */
export function readFrame(data: unknown): unknown {
	if (typeof data === 'string') return parseJson(data);
	return readCbor(data as ArrayBuffer);
}

/** Tags 2 and 3 are integers of any size (RFC 8949, 3.4.3); of any other tag the content counts. */
const TAGS = new Proxy<Record<number, (content: () => unknown) => unknown>>(
	{},
	{
		get: (_, tag) => (content: () => unknown) => {
			const value = content();
			if (tag !== '2' && tag !== '3') return value;
			const hex = Buffer.from(value as Uint8Array).toString('hex');
			const size = BigInt(`0x${hex || '0'}`);
			return tag === '2' ? size : -1n - size;
		},
	},
);

function readCbor(bytes: ArrayBuffer): unknown {
	let value: unknown;
	let problem: string | undefined;
	try {
		value = decode(new Uint8Array(bytes), { rejectDuplicateMapKeys: false, tags: TAGS });
	} catch (error) {
		problem = (error as Error).message;
	}
	if (problem !== undefined) throw new SyntaxError(problem);
	return withTextNumbers(value);
}

/** The same value with every integer that is not safe as the string of its digits. */
function withTextNumbers(value: unknown): unknown {
	if (typeof value === 'bigint') {
		return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
	}
	if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
	if (Array.isArray(value)) return value.map(withTextNumbers);
	return Object.fromEntries(
		Object.entries(value).map(([name, entry]) => [name, withTextNumbers(entry)]),
	);
}
