import { getEventListeners } from 'node:events';
import { Readable } from 'node:stream';

import {
	BODY_LIMITS,
	readBodyStart,
	readWholeBody,
} from '../../../nodes/Wherobots/transport/bytes';

const never = new AbortController().signal;

const pieces = (...parts: Array<string | Buffer>) =>
	Readable.from(parts.map((part) => Buffer.from(part)));

it('is read to its end, also where a piece ends within a character', async () => {
	const bytes = Buffer.from('Zürich');
	const body = pieces(bytes.subarray(0, 2), bytes.subarray(2));
	expect(await readWholeBody(body, 1_000, never)).toEqual({ text: 'Zürich' });
	expect(body.destroyed).toBe(true);
	const start = pieces(bytes.subarray(0, 2), bytes.subarray(2));
	expect(await readBodyStart(start, never)).toBe('Zürich');
});

it('may have as many bytes as the limit, and is given up with one more', async () => {
	jest.replaceProperty(BODY_LIMITS, 'maxBytes', 100_000);
	const text = 'x'.repeat(100_000);
	expect(await readWholeBody(pieces(text), 1_000, never)).toEqual({ text });
	const body = pieces(text, ' ');
	expect(await readWholeBody(body, 1_000, never)).toEqual({ text: '', largerThan: 100_000 });
	expect(body.destroyed).toBe(true);
});

it('leaves nothing behind on the signal that could have cancelled it', async () => {
	const { signal } = new AbortController();
	await readWholeBody(pieces('a'), 1_000, signal);
	expect(getEventListeners(signal, 'abort')).toEqual([]);
});
