import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { PassThrough, Readable } from 'node:stream';

import { toReadable } from '../../../nodes/Wherobots/transport/bytes';

const nothing = () => undefined;

async function* bytes() {
	yield await Promise.resolve(Buffer.from('ab'));
	yield Buffer.from('c');
}

/** A class of streams that makes its own kind. */
class OwnKind extends Readable {
	static override from(): never {
		throw new Error('Not this one');
	}
}

it.each([
	['a stream', () => new PassThrough()],
	['a response', () => new IncomingMessage(new Socket())],
	['a stream of a class of its own', () => new OwnKind()],
])('finds the class of streams in %s', async (_, body) => {
	const stream = toReadable(body(), bytes(), nothing) as Readable;
	expect(stream.constructor).toBe(Readable);
	expect(stream.readableObjectMode).toBe(true);
	expect(stream.readableHighWaterMark).toBe(1);
	expect(await stream.toArray()).toEqual([Buffer.from('ab'), Buffer.from('c')]);
});

it.each([
	['an object', {}],
	['one whose ancestor has no class', Object.create(Object.create(null) as object) as object],
	['an iterable', bytes()],
])('returns the bytes themselves where there is no such class: %s', (_, body) => {
	const given = bytes();
	expect(toReadable(body, given, nothing)).toBe(given);
});

it('reports when nobody will read on', async () => {
	const closed = jest.fn();
	const stream = toReadable(new PassThrough(), bytes(), closed) as Readable;
	expect(closed).not.toHaveBeenCalled();
	stream.destroy();
	await new Promise((resolve) => setImmediate(resolve));
	expect(closed).toHaveBeenCalledTimes(1);
});

it('ends with the error of the bytes, which nobody has to listen to', async () => {
	const error = new Error('broken');
	async function* failing() {
		yield await Promise.resolve(Buffer.from('a'));
		throw error;
	}
	const stream = toReadable(new PassThrough(), failing(), nothing) as Readable;
	await expect(stream.toArray()).rejects.toBe(error);
	const unheard = toReadable(new PassThrough(), failing(), nothing) as Readable;
	unheard.resume();
	await new Promise((resolve) => unheard.on('close', resolve));
	expect(unheard.errored).toBe(error);
});
