import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';

import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';

import { startNode, ok } from '../../../engine/harness';
import { suiteWithSandbox } from '../../../engine/harness/suite';
import type { StorageFault } from '../../../sandbox';
import { sha256, uploadNode, suiteWithFileStore } from '../../../support/files';
import { aWhile, until } from '../../../support/until';
import { againstStorage, bytes, files, refuse, reply } from './againstStorage';

const useFileStore = suiteWithFileStore();
const suite = suiteWithSandbox();
const { upload } = againstStorage(suite);
const stored = () => suite.store.storages.get('stor-acme')?.files.get('jobs/data.bin');

it.each<[string, StorageFault, number]>([
	['an address that has expired', refuse(403, 'AccessDenied'), 1],
	['a storage that is busy', refuse(503, 'SlowDown'), 3],
	['a connection that is cut', { kind: 'cut', bytes: 100_000 }, 2],
	['a response that is lost', { kind: 'lost' }, 1],
])('recovers from %s, with a new address each time', async (_, fault, times) => {
	const { json, hits } = ok(await upload(fault, times));
	expect(json[0]).toMatchObject({ sha256: sha256(bytes), uploaded: true });
	expect(stored()?.sha256).toBe(sha256(bytes));
	expect(hits.hits).toBe(times);
	expect(suite.requests.of('createUploadUrl')).toHaveLength(times + 1);
});

const XML = '<Error><Code>InternalError</Code></Error>';
const signIn = '<!doctype html><title>Sign in</title>';
const location = 'http://127.0.0.1:1/?X-Amz-Signature=abc';
const teapot = reply(418, { body: '<html><Code>abc123</Code>' });

const rejected = 'The storage rejected the file';
const lost = 'connection to the storage was lost';
const issued = /HTTP 403, AccessDenied from the storage\.\nThe link to the file may have expired/;
const later = /HTTP (200|500), InternalError from the storage\.\nTry again later/;

it.each<[string, StorageFault, string, RegExp, number]>([
	['refuses', refuse(403, 'AccessDenied'), rejected, issued, 2],
	['finds the file too large', refuse(400, 'EntityTooLarge'), rejected, /at most 5 GB/, 2],
	['is out of order', refuse(500, 'InternalError'), rejected, later, 5],
	['finds out too late', reply(200, { body: XML }), rejected, later, 5],
	['is a page', reply(200, { body: signIn }), rejected, /HTTP 200 from the storage/, 5],
	[
		'does not know the bucket',
		refuse(404, 'NoSuchKey'),
		rejected,
		/NoSuchKey from the storage\.$/,
		1,
	],
	['cuts the connection', { kind: 'cut', bytes: 1 }, lost, /safe to upload it again/, 5],
	['leads elsewhere', reply(307, { headers: { location } }), 'redirects', /was not followed/, 1],
	['speaks of something else', teapot, rejected, /^HTTP 418 from the storage\.$/, 1],
])('fails when the storage %s, and says so', async (_, fault, message, description, tries) => {
	const { error, items, hits } = await upload(fault);
	expect(error?.message).toContain(message);
	expect(error?.description).toMatch(description);
	expect(items).toEqual([]);
	expect(hits.hits).toBe(tries);
	expect(stored()).toBeUndefined();
});

it("recovers from a refusal that comes before a large file of n8n's store was sent", async () => {
	const store = await useFileStore();
	const large = randomBytes(8_000_000);
	const input = [await store.add(large, 'data.bin')];
	const fault = { kind: 'refuse', status: 403, code: 'AccessDenied', early: true } as const;
	suite.presigned.addFault({ times: 1, fault });
	await suite.succeeds(uploadNode(), { files: input });
	expect(stored()?.sha256).toBe(sha256(large));
});

it.each([
	[9, '5 of 9 bytes arrived'],
	[3, 'more than 3 bytes arrived'],
])(
	"fails when n8n's store does not return the %i bytes that it announced",
	async (fileSize, why) => {
		const store = await useFileStore();
		const { data } = await store.add(Buffer.from('whole'), 'data.bin');
		const service = Container.get(BinaryDataService);
		jest.spyOn(service, 'getMetadata').mockResolvedValue({ fileSize });
		const { error } = await suite.run(uploadNode(), { files: [{ data }] });
		expect(error?.message).toBe("The file could not be read from n8n's storage");
		expect(error?.description).toContain(why);
		expect(stored()).toBeUndefined();
	},
);

const gone = new Error('ENOENT: no such file');

it.each([
	['opened', async () => await Promise.reject(gone), 1],
	[
		'read to its end',
		async () =>
			await Promise.resolve(
				new Readable({
					read() {
						this.destroy(gone);
					},
				}),
			),
		5,
	],
])("fails when a file of n8n's store cannot be %s", async (_, open, tries) => {
	const store = await useFileStore();
	const input = [await store.add(Buffer.from('whole'), 'data.bin')];
	jest.spyOn(Container.get(BinaryDataService), 'getAsStream').mockImplementation(open);
	const { error } = await suite.run(uploadNode(), { files: input });
	expect(error?.message).toBe("The file could not be read from n8n's storage");
	expect(error?.description).toMatch(/^ENOENT: no such file\.\nNothing was uploaded\.$/);
	expect(suite.requests.of('createUploadUrl')).toHaveLength(tries);
	expect(stored()).toBeUndefined();
});

it('is not tried again when the execution is cancelled', async () => {
	suite.presigned.addFault({ fault: { kind: 'stall', bytes: 100 } });
	const running = startNode(suite.sandbox, uploadNode(), { files });
	await until(() => suite.presigned.requests.length > 0);
	running.cancel();
	await running.result;
	await aWhile();
	expect(suite.presigned.requests).toHaveLength(1);
});

it('does not send to an address without https', async () => {
	const edit = () => ({ destination: 's3://a/b', uploadUrl: 'http://storage.example/?sig=secret' });
	suite.fails('createUploadUrl', { kind: 'edit', edit });
	const { error } = await suite.run(uploadNode(), { files });
	expect(error?.message).toBe('The URL for the file is not secure');
	expect(JSON.stringify(error)).not.toContain('storage.example');
});

it.each([
	['refuses the connection', 'http://127.0.0.1:1/'],
	['has an unknown host', 'https://storage.invalid/'],
])('does not doubt that nothing arrived when the storage %s', async (_, uploadUrl) => {
	const edit = () => ({ destination: 's3://a/b', uploadUrl });
	suite.fails('createUploadUrl', { kind: 'edit', edit });
	const { error } = await suite.run(uploadNode(), { files });
	expect(error?.message).toBe('Could not connect to the storage');
	expect(error?.description).toMatch(
		/^E\w+\.\nThe last attempt sent nothing\.\nTry again later\.$/,
	);
});

it.each(['null', '{}', '{"destination": "", "uploadUrl": 5}'])(
	'fails when %s comes for the address',
	async (body) => {
		suite.fails('createUploadUrl', { kind: 'replace', body });
		const { error } = await suite.run(uploadNode(), { files });
		expect(error?.message).toBe('Wherobots Cloud did not return a URL for the upload');
	},
);

it('masks an address that comes in an unexpected place', async () => {
	const body = 'see https://s3.example/k?X-Amz-Expires=9&X-Amz-Signature=0123abcd for it';
	suite.fails('createUploadUrl', { kind: 'replace', body });
	const { error } = await suite.run(uploadNode(), { files });
	expect(error?.description).toContain('https://s3.example/k?***');
	expect(JSON.stringify(error)).not.toContain('0123abcd');
});
