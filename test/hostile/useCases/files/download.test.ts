import { gzipSync } from 'node:zlib';

import { TRANSFER_LIMITS } from '../../../../nodes/Wherobots/transport/transfer';
import { ok } from '../../../engine/harness';
import { suiteWithSandbox } from '../../../engine/harness/suite';
import type { StorageFault } from '../../../sandbox';
import { downloadNode, sha256 } from '../../../support/files';
import { againstStorage, bytes, refuse, reply } from './againstStorage';

const suite = suiteWithSandbox();
const { download } = againstStorage(suite);

const short = { kind: 'short', bytes: 100_000, framing: 'close' } as const;
const elsewhere = { headers: { location: 'https://evil.example/' } };

it.each<[string, StorageFault, number]>([
	['an address that has expired', refuse(403, 'AccessDenied'), 1],
	['a storage that is busy', refuse(503, 'SlowDown'), 3],
	['a transfer that is cut', { kind: 'cut', bytes: 100_000 }, 2],
])('recovers from %s, with a new address each time', async (_, fault, times) => {
	const { json } = ok(await download(fault, times));
	expect(json[0]).toMatchObject({ bytes: bytes.length, sha256: sha256(bytes) });
	expect(suite.requests.of('downloadFile')).toHaveLength(times + 1);
});

const page = { headers: { 'content-type': 'text/html' }, body: '<html>Hi</html>' };
const XML =
	'<?xml version="1.0"?>\n<Error><Code>InternalError</Code><Key>internal-key-name</Key></Error>';
const part = { headers: { 'content-range': 'bytes 0-2/500' }, body: 'abc' };
const notReturned = 'The storage did not return the file';

it.each<[string, StorageFault, string, RegExp]>([
	['is always cut', { kind: 'cut', bytes: 100_000 }, 'was interrupted', /no part of it was kept/],
	['ends early without a length', short, 'may be incomplete', /neither its length nor its end/],
	['is refused', refuse(403, 'AccessDenied'), notReturned, /AccessDenied [^]*Try again later/],
	['has expired', refuse(400, 'ExpiredToken'), notReturned, /may have expired\. Try again later/],
	[
		'is too large',
		refuse(413, 'EntityTooLarge'),
		notReturned,
		/EntityTooLarge from the storage\.$/,
	],
	[
		'is not in the storage',
		refuse(404, 'NoSuchKey'),
		'nothing at "source.bin"',
		/^HTTP 404, NoSuchKey from the storage\.$/,
	],
	[
		'is a page',
		reply(200, page),
		'is not the requested file',
		/^A web page was sent .*\nTried 5 times/,
	],
	[
		'is an error',
		reply(200, { body: XML }),
		'is not the requested file',
		/^An error was .*\nTried 5 times/,
	],
	[
		'is only a part',
		reply(206, part),
		'before it was complete',
		/^Only a part was sent \(HTTP 206/,
	],
	['leads elsewhere', reply(302, elsewhere), 'redirects to another address', /not followed/],
])('fails when it %s', async (_, fault, message, description) => {
	const { error, items } = await download(fault);
	expect(error?.message).toContain(message);
	expect(error?.description).toMatch(description);
	expect(items).toEqual([]);
});

const encoded = (body: Buffer) =>
	reply(200, {
		headers: { 'content-encoding': 'gzip', 'content-length': String(body.length) },
		body,
	});

it.each([
	['text', gzipSync('tile '.repeat(1_000))],
	['what hardly gets smaller', gzipSync(bytes.subarray(0, 1_000))],
	['an empty file', gzipSync('')],
	['what is not compressed at all', Buffer.from('tile')],
])('says that %s was stored with Content-Encoding, once', async (_, body) => {
	const { error, items } = await download(encoded(body));
	expect(error?.message).toMatch(/compressed/);
	expect(error?.description).toMatch(/stored with Content-Encoding/);
	expect(error?.description).not.toMatch(/[Tt]ry again/);
	expect(suite.requests.of('downloadFile')).toHaveLength(1);
	expect(items).toEqual([]);
});

const failure = '<Error><Code>X</Code></Error>';

it.each([
	['a page', 'text/html; charset=utf-8', 'page.HTM', '<html></html>'],
	['text that begins like a page', 'text/plain', 'f.md', '<html></html>'],
	['text that the storage calls HTML', 'text/html', 'f', 'a < b <'],
	['an error', 'application/xml', 'e.XML', failure],
	['other XML', 'application/xml', 'f', '<Errors><Code>X</Code></Errors>'],
	['text that quotes an error', 'text/plain', 'f', `It says: ${failure}`],
])('gives a file that is %s', async (_, contentType, path, text) => {
	suite.store.storages.put('stor-acme', path, text, { contentType });
	const { json } = await suite.succeeds(downloadNode(path));
	expect(json[0]).toMatchObject({ bytes: text.length, sha256: sha256(text) });
});

it('fails when it stalls, after its time limit', async () => {
	jest.replaceProperty(TRANSFER_LIMITS, 'stallMs', 150);
	const { error } = await download({ kind: 'stall', bytes: 1_000 });
	expect(error?.message).toMatch(/stalled/);
});

it.each(['http://storage.example/?X-Amz-Signature=abcd', 'ftp://x/y'])(
	'does not follow a redirect to %s',
	async (location) => {
		suite.fails('downloadFile', { kind: 'status', status: 307, headers: { location } });
		const { error } = await suite.run(downloadNode('source.bin'));
		expect(error?.message).toBe('The URL for the file is not secure');
	},
);

it('says what to do when the storage refuses the connection', async () => {
	const headers = { location: 'http://127.0.0.1:1/' };
	suite.fails('downloadFile', { kind: 'status', status: 307, headers });
	const { error } = await suite.run(downloadNode('source.bin'));
	expect(error?.message).toBe('Could not connect to the storage');
	expect(error?.description).toBe('ECONNREFUSED.\nTry again later.');
});

it('is an error when the redirect leads nowhere', async () => {
	suite.fails('downloadFile', 307);
	const { error } = await suite.run(downloadNode('source.bin'));
	expect(error?.httpCode).toBe('307');
});
