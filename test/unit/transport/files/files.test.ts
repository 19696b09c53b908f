import {
	asFolder,
	isMarker,
	levelsOf,
	nameOf,
	parentOf,
} from '../../../../nodes/Wherobots/service/files';
import * as rules from '../../../../nodes/Wherobots/service/rules';
import { withoutSignatures } from '../../../../nodes/Wherobots/transport/failures/redact';
import { exactly, type Passed } from '../../../../nodes/Wherobots/transport/files/fileSource';
import { describeStorage } from '../../../../nodes/Wherobots/transport/files/storageFailure';
import { sha256 } from '../../../support/files';

describe('paths', () => {
	it.each([
		['a/b/', 'a/', 'b'],
		['a/b', 'a/', 'b'],
		['a', '', 'a'],
		['', '', ''],
	])('of %j has parent %j and name %j', (path, parent, name) => {
		expect([parentOf(path), nameOf(path)]).toEqual([parent, name]);
	});

	it.each([
		['', ''],
		['/', ''],
		['a', 'a/'],
		['//a/b//', 'a/b/'],
	])('%j is the folder %j', (text, folder) => {
		expect(asFolder(text)).toBe(folder);
	});

	it('of another kind, as the service may send them, are read as text', () => {
		expect(nameOf(7 as never)).toBe('7');
		expect(asFolder(7 as never)).toBe('7/');
	});

	it('lists the levels of a folder', () => {
		expect(levelsOf('a/b/c/')).toEqual(['a/', 'a/b/', 'a/b/c/']);
	});

	it('knows the marker of a folder', () => {
		expect(isMarker({ name: '', path: 'a/', type: 'FILE' }, 'a/')).toBe(true);
		expect(isMarker({ name: 'a', path: 'a/', type: 'FOLDER' }, 'a/')).toBe(true);
		expect(isMarker({ name: 'b', path: 'a/b', type: 'FILE' }, 'a/')).toBe(false);
	});

	it.each(['a/b.py', '/a', 'a b/ü'])('takes %j for a file', (path) => {
		expect(rules.filePath(path)).toBeUndefined();
	});

	it.each(['a/', 'a//b', '..', 'a/../b', 's3://bucket/a', '\uD800'])('refuses %j', (path) => {
		expect(rules.filePath(path)).toMatch(/^(must|contains) /);
	});
});

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

describe('withoutSignatures', () => {
	it.each([
		['at https://b.s3/x?X-Amz-Date=1&X-Amz-Signature=ab now', 'at https://b.s3/x?*** now'],
		['"https://s/x?AWSAccessKeyId=A&Signature=b&Expires=3"', '"https://s/x?***"'],
		['https://s/x?x-goog-signature=ab', 'https://s/x?***'],
		['https://a.blob/x?sv=1&sig=ab%3D', 'https://a.blob/x?***'],
		['https://api/runs?size=5&cursor=x', 'https://api/runs?size=5&cursor=x'],
		['what is a design?', 'what is a design?'],
	])('makes of %j %j', (text, clean) => {
		expect(withoutSignatures(text)).toBe(clean);
	});
});

describe('describeStorage', () => {
	it.each([
		['ENOTFOUND', 'Could not connect to the storage'],
		['ETIMEDOUT', 'The storage did not respond in time'],
		['CERT_HAS_EXPIRED', 'The certificate of the storage is not trusted'],
		['ECONNRESET', 'The connection to the storage was lost'],
		['SSRF_BLOCKED', 'This n8n does not allow requests to the storage'],
	])('words %s', (code, message) => {
		expect(describeStorage('upload', { kind: 'network', code }).message).toBe(message);
	});
});
