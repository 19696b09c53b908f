import { exactly, type Passed } from '../../../../nodes/Wherobots/transport/files/uploadFile';
import { sha256 } from '../../../support/files';

describe('exactly', () => {
	const pass = async (blocks: string[], size: number) => {
		const passed: Passed = { sha256: '' };
		let text = '';
		async function* source() {
			for (const block of blocks) yield Buffer.from(block);
		}
		const read = async () => {
			for await (const block of exactly(source(), size, passed)) text += Buffer.from(block);
		};
		await read().catch(() => undefined);
		return { text, ...passed };
	};

	it.each([
		[['ab', 'c'], 3],
		[[], 0],
	])('lets %j through', async (blocks, size) => {
		const text = blocks.join('');
		expect(await pass(blocks, size)).toEqual({ text, sha256: sha256(text) });
	});

	it('makes no block of nothing', async () => {
		const nothing = (async function* () {})();
		const blocks: unknown[] = [];
		for await (const block of exactly(nothing, 0, { sha256: '' })) blocks.push(block);
		expect(blocks).toHaveLength(0);
	});

	it('stops before a byte too many', async () => {
		expect(await pass(['ab', 'cd'], 3)).toEqual({
			text: '',
			sha256: '',
			problem: 'more than 3 bytes arrived',
		});
	});

	it('knows the checksum before it gives the last block', async () => {
		const passed: Passed = { sha256: '' };
		async function* source() {
			yield Buffer.from('ab');
			yield Buffer.from('c');
			yield Buffer.from('');
		}
		const known: boolean[] = [];
		for await (const block of exactly(source(), 3, passed)) {
			known.push(block.length > 0 && passed.sha256 !== '');
		}
		expect(known).toEqual([false, true]);
	});

	it('fails on a byte too few', async () => {
		expect(await pass(['ab'], 3)).toMatchObject({ sha256: '', problem: '2 of 3 bytes arrived' });
	});
});
