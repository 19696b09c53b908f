import { hashed } from '../../../nodes/Wherobots/transport/bytes';
import { sha256 } from '../../support/files';

/** What these blocks are when they have passed, and what was known as each came out. */
async function pass(blocks: string[], size?: number) {
	async function* source() {
		for (const block of blocks) yield await Promise.resolve(Buffer.from(block));
	}
	const { output, tally } = hashed(source(), size);
	const seen: unknown[] = [];
	const read = async () => {
		for await (const block of output) seen.push([Buffer.from(block).toString(), tally.sha256]);
	};
	const error = await read().catch((reason: Error) => reason);
	return { seen, tally, error };
}

it('bytes are counted and hashed as they go through, and the sum is there before the last', async () => {
	const { seen, tally } = await pass(['ab', '', 'c', '']);
	const sum = sha256('abc');
	expect(seen).toEqual([
		['ab', ''],
		['c', sum],
	]);
	expect(tally).toEqual({ bytes: 3, sha256: sum });
});

it.each([
	[['ab', 'cd'], 3, 'more than 3 bytes arrived'],
	[['abc', 'd'], 3, 'more than 3 bytes arrived'],
	[['ab'], 3, '2 of 3 bytes arrived'],
])('a file of another size is never complete: %j', async (blocks, size, problem) => {
	const { seen, tally, error } = await pass(blocks, size);
	expect(seen).toEqual([]);
	expect(tally).toMatchObject({ sha256: '', problem });
	expect(error).toMatchObject({ message: problem });
});
