import { getEventListeners } from 'node:events';
import { PassThrough, Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

import { BODY_LIMITS, bodyStart, wholeBody } from '../../../nodes/Wherobots/transport/bytes';
import { CancelledError } from '../../../nodes/Wherobots/transport/clock';

const never = new AbortController().signal;

/** A body of these pieces, or one that ends with an error. */
const pieces = (...parts: Array<string | Buffer | Error>) =>
	Readable.from(
		(function* () {
			for (const part of parts) {
				if (part instanceof Error) throw part;
				yield Buffer.from(part);
			}
		})(),
	);

/** A body that begins and then says nothing. */
function silent(): PassThrough {
	const body = new PassThrough();
	body.write('{"a":');
	return body;
}

it('is read to its end, also where a piece ends within a character', async () => {
	const bytes = Buffer.from('Zürich');
	const body = pieces(bytes.subarray(0, 2), bytes.subarray(2));
	expect(await wholeBody(body, 1_000, never)).toEqual({ text: 'Zürich' });
	expect(body.destroyed).toBe(true);
});

it('may have as many bytes as the limit, and is given up with one more', async () => {
	jest.replaceProperty(BODY_LIMITS, 'maxBytes', 100_000);
	const text = 'x'.repeat(100_000);
	expect(await wholeBody(pieces(text), 1_000, never)).toEqual({ text });
	const body = pieces(text, ' ');
	expect(await wholeBody(body, 1_000, never)).toEqual({ text: '', largerThan: 100_000 });
	expect(body.destroyed).toBe(true);
});

it('fails as the connection does', async () => {
	const error = new Error('aborted');
	await expect(wholeBody(pieces('{"a":', error), 1_000, never)).rejects.toBe(error);
});

it('is given up when it is silent for too long, and when it is cancelled', async () => {
	const quiet = silent();
	await expect(wholeBody(quiet, 40, never)).rejects.toBeInstanceOf(CancelledError);
	expect(quiet.destroyed).toBe(true);
	const stopped = wholeBody(silent(), 60_000, AbortSignal.timeout(40));
	await expect(stopped).rejects.toBeInstanceOf(CancelledError);
});

it('leaves nothing behind on the signal that could have cancelled it', async () => {
	const { signal } = new AbortController();
	await wholeBody(pieces('a'), 1_000, signal);
	expect(getEventListeners(signal, 'abort')).toEqual([]);
});

it('is not silent while pieces arrive, however long all of them take', async () => {
	const body = new PassThrough();
	const text = '[1,2,3,4,5,6,7,8]';
	const writing = (async () => {
		for (const character of text) {
			body.write(character);
			await sleep(100);
		}
		body.end();
	})();
	expect(await wholeBody(body, 1_000, never)).toEqual({ text });
	await writing;
});

describe('the beginning of a body', () => {
	it('is all of it when it is short, and the body is closed', async () => {
		const bytes = Buffer.from('Zürich');
		const body = pieces(bytes.subarray(0, 2), bytes.subarray(2));
		expect(await bodyStart(body, never)).toBe('Zürich');
		expect(body.destroyed).toBe(true);
	});

	it('is a megabyte and little more when it is long', async () => {
		const piece = Buffer.alloc(600_000, 'x');
		const body = pieces(piece, piece, piece);
		expect(await bodyStart(body, never)).toHaveLength(1_200_000);
	});

	it('is what came before it broke off', async () => {
		expect(await bodyStart(pieces('{"a":', new Error('aborted')), never)).toBe('{"a":');
	});

	it('is what came in time', async () => {
		const body = silent();
		expect(await bodyStart(body, AbortSignal.timeout(40))).toBe('{"a":');
		expect(body.destroyed).toBe(true);
	});

	it('does not wait for the rest for more than five seconds', async () => {
		const timers = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort());
		// Nothing ever comes: what does would race against the clock.
		const body = new PassThrough();
		expect(await bodyStart(body, never)).toBe('');
		expect(body.destroyed).toBe(true);
		expect(timers).toHaveBeenCalledWith(5_000);
	});
});

it.each<[unknown, string]>([
	['text', 'text'],
	[undefined, ''],
	[null, ''],
	[{ a: 1 }, '{"a":1}'],
])('that is no stream but %j is the text %j', async (body, text) => {
	expect(await bodyStart(body, never)).toBe(text);
	expect(await wholeBody(body, 1_000, never)).toEqual({ text });
});
