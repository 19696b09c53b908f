import { Readable } from 'node:stream';

import axios from 'axios';

import { closeAll, open } from './open';

afterEach(closeAll);

const UPLOAD = '/storage/stor-acme/file-upload-url/jobs/new.py';
const plain = axios.create({ validateStatus: () => true, maxRedirects: 0 });
const typeless = { headers: { 'Content-Type': false as unknown as string } };

it.each(['directories/jobs//lib/', 'directories/%2e%2e%2fjobs', 'files/a/', 'files/', 'files//'])(
	'storages refuse the path %s',
	async (path) => {
		const { admin } = await open({ seed: 'demo' });
		expect((await admin.get(`/storage/stor-acme/${path}`)).status).toBe(400);
	},
);

describe('addresses of files', () => {
	it('accept or return a file, and do nothing else', async () => {
		const { admin, sandbox, clock } = await open({ seed: 'demo' });
		const { destination, uploadUrl } = (await admin.post(UPLOAD)).data;
		expect(destination).toBe('s3://acme-jobs/jobs/new.py');
		expect((await plain.put(uploadUrl, 'pass', typeless)).status).toBe(200);
		const sent = await admin.get('/storage/stor-acme/files/jobs/new.py', { maxRedirects: 0 });
		expect(sent.status).toBe(307);
		const { location } = sent.headers;
		expect((await plain.get(location)).data).toBe('pass');
		expect((await plain.put(location, 'x', typeless)).status).toBe(403);
		clock.advance(sandbox.variants.presignedSeconds * 1000);
		const late = await plain.get(location);
		expect([late.status, /<Code>(\w+)/.exec(late.data)?.[1]]).toEqual([403, 'AccessDenied']);
	});

	it.each([
		['a key', 'pass', { 'X-API-Key': 'k' }, 400],
		['a token', 'pass', { Authorization: 'Bearer t' }, 400],
		['the name of a client', 'pass', { 'X-Wherobots-Client': 'client=x' }, 400],
		['a content type', 'pass', { 'Content-Type': 'text/plain' }, 403],
		['a file whose length is not given', Readable.from(['pass']), {}, 501],
	])('refuse %s', async (_, file, headers, status) => {
		const { admin } = await open({ seed: 'demo' });
		const { uploadUrl } = (await admin.post(UPLOAD)).data;
		const all = { ...typeless.headers, ...headers } as Record<string, string>;
		expect((await plain.put(uploadUrl, file, { headers: all })).status).toBe(status);
	});
});
