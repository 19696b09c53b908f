import { hashed } from '../../../../nodes/Wherobots/transport/download/hashed';
import { sha256 } from '../../../support/files';

it('bytes are counted and hashed as they go through, the sum is there at their end', async () => {
	async function* source() {
		yield await Promise.resolve(Buffer.from('ab'));
		yield Buffer.from('c');
	}
	const { output, tally } = hashed(source());
	const seen: unknown[] = [];
	for await (const block of output) seen.push([Buffer.from(block).toString(), { ...tally }]);
	expect(seen).toEqual([
		['ab', { bytes: 2, sha256: '' }],
		['c', { bytes: 3, sha256: '' }],
	]);
	expect(tally).toEqual({ bytes: 3, sha256: sha256('abc') });
});
