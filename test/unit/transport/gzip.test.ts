import { randomBytes } from 'node:crypto';

import { gzipped } from '../../../nodes/Wherobots/transport/bytes';

const unhandled: unknown[] = [];
const note = (reason: unknown) => unhandled.push(reason);

beforeAll(() => void process.on('unhandledRejection', note));
afterAll(() => void process.off('unhandledRejection', note));
afterEach(async () => {
	await new Promise((resolve) => setTimeout(resolve, 20));
	expect(unhandled.splice(0)).toEqual([]);
});

async function* from(...blocks: Array<Buffer | Error>) {
	for (const block of blocks) {
		if (block instanceof Error) throw block;
		yield await Promise.resolve(block);
	}
}

async function readAll(bytes: AsyncIterable<Uint8Array>): Promise<Buffer> {
	const blocks: Uint8Array[] = [];
	for await (const block of bytes) blocks.push(block);
	return Buffer.concat(blocks);
}

it('fails with what ended the source early', async () => {
	const error = new Error('The connection was closed');
	await expect(readAll(gzipped(from(randomBytes(1_000), error)))).rejects.toBe(error);
});

it('ends the source when nobody reads on', async () => {
	let ended = false;
	async function* endless() {
		try {
			for (;;) yield await Promise.resolve(randomBytes(5_000));
		} finally {
			ended = true;
		}
	}
	for await (const block of gzipped(endless())) {
		expect(block.length).toBeGreaterThan(0);
		break;
	}
	await new Promise((resolve) => setTimeout(resolve, 50));
	expect(ended).toBe(true);
});
