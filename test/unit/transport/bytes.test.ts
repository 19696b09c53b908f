import { getEventListeners } from 'node:events';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { constants, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';
import { PassThrough, Readable } from 'node:stream';

import {
	BODY_LIMITS,
	hash,
	readBodyStart,
	readWholeBody,
	toReadable,
} from '../../../nodes/Wherobots/transport/bytes';
import { sha256 } from '../../support/files';
import { until } from '../../support/until';

describe('a body', () => {
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
});

describe('a stream for n8n', () => {
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
});

it('a large file passes in blocks of 512 KiB, its sum known before the last, and V8 collects what has passed', async () => {
	let minor = 0;
	const observer = new PerformanceObserver((list) => {
		const entries = list.getEntries() as Array<PerformanceEntry & { detail: { kind: number } }>;
		const { NODE_PERFORMANCE_GC_MINOR: MINOR } = constants;
		minor += entries.filter(({ detail }) => detail.kind === MINOR).length;
	});
	observer.observe({ entryTypes: ['gc'] });
	const piece = Buffer.alloc(64 * 1024);
	async function* source() {
		for (let passed = 0; passed < 2048; passed++) yield await Promise.resolve(piece);
	}
	const { output, tally } = hash(source());
	const sums: string[] = [];
	for await (const { length } of output) {
		expect(length).toBe(512 * 1024);
		sums.push(tally.sha256);
	}
	const sum = sha256(Buffer.alloc(128 * 1024 * 1024));
	expect(sums).toEqual([...Array<string>(255).fill(''), sum]);
	// For 512 MiB of young objects, of which no process has room for more than 64 MiB; they are passed on
	// late. Without them, joining the pieces causes four.
	await until(() => minor >= 8);
	observer.disconnect();
});
