import { parseJson } from '../json';
import { readCbor } from './cbor';

/**
 * The message in a frame of a SQL session: text is JSON, bytes are CBOR. Integers that a JavaScript
 * number cannot hold arrive as the string of their digits.
 *
 * @throws SyntaxError when the frame holds no message
 */
export function readFrame(data: unknown): unknown {
	return typeof data === 'string' ? parseJson(data) : readCbor(new Uint8Array(data as ArrayBuffer));
}
