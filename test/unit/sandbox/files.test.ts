import { Readable } from 'node:stream';

import axios from 'axios';

import { closeAll, open } from './open';

afterEach(closeAll);

const UPLOAD = '/storage/stor-acme/file-upload-url/jobs/new.py';
const plain = axios.create({ validateStatus: () => true, maxRedirects: 0 });
const typeless = { headers: { 'Content-Type': false as unknown as string } };

describe('storages', () => {
	it('are those of the organization, and My Files only if told so', async () => {
		const { admin, sandbox } = await open({ seed: 'demo' });
		const ids = async () =>
			((await admin.get('/storage')).data as Array<{ id: string }>).map(({ id }) => id);
		expect(await ids()).toEqual(['stor-managed', 'stor-acme', 'stor-open-data']);
		sandbox.variants.myFiles = 'listed';
		expect(await ids()).toContain('user_files::aws-us-west-2');
	});

	it('are listed whatever else a client asks for', async () => {
		const { admin } = await open({ seed: 'demo' });
		const { data, status } = await admin.get('/storage?include_external_providers=false');
		expect([status, data.length]).toEqual([200, 3]);
	});

	it('return folders in pages of the requested size, and refuse pages that are too large', async () => {
		const { admin, sandbox } = await open({ seed: 'demo' });
		for (let n = 0; n < 5; n++) sandbox.store.storages.put('stor-acme', `p/${n}`, '');
		const page = async (query: string) =>
			await admin.get(`/storage/stor-acme/directories/p/${query}`);
		expect((await page('')).data.items).toHaveLength(5);
		const first = await page('?limit=3');
		expect([first.data.items.length, first.data.path]).toEqual([3, 'p/']);
		const second = await page(`?limit=3&cursor=${first.data.next_page}`);
		expect([second.data.items.length, second.data.next_page]).toEqual([2, null]);
		expect((await page('?limit=1001')).status).toBe(500);
		expect((await page('?limit=3&cursor=x')).status).toBe(400);
	});

	it.each([
		'/storage/stor-acme/directories/jobs//lib/',
		'/storage/stor-acme/directories/%2e%2e%2fjobs',
		'/storage/stor-acme/files/a/',
		'/storage/stor-acme/files/',
		'/storage/stor-acme/files//',
	])('refuse the path %s', async (path) => {
		const { admin } = await open({ seed: 'demo' });
		expect((await admin.get(path)).status).toBe(400);
	});

	it.each(['jobs/lib/', 'jobs/lib', '/jobs/lib/', '/jobs/lib', '%2Fjobs%2Flib%2F', 'jobs%2Flib'])(
		'know a folder as %s',
		async (path) => {
			const { admin } = await open({ seed: 'demo' });
			const { data } = await admin.get(`/storage/stor-acme/directories/${path}`);
			expect(data.items).toMatchObject([{ name: 'helpers.py' }]);
		},
	);

	it.each(['jobs/nightly_etl.py', '/jobs/nightly_etl.py', '%2Fjobs%2Fnightly_etl.py'])(
		'know a file as %s',
		async (path) => {
			const { admin } = await open({ seed: 'demo' });
			const { data } = await admin.get(`/storage/stor-acme/file-download-url/${path}`);
			expect((await plain.get(data.downloadUrl)).data).toBe('print("nightly")\n');
		},
	);

	it('have a default directory below their path, as real ones do', async () => {
		const { admin } = await open({ seed: 'demo' });
		const { data: organization } = await admin.get('/organization');
		const [managed, acme] = (await admin.get('/storage')).data;
		expect(managed.path).toMatch(/^s3:\/\/wbts-wbc-\w{10}$/);
		expect(managed.defaultDirectory).toMatch(/^\w{10}\/data\/customer-\w{14}$/);
		expect(managed.defaultDirectory.split('/')[0]).toBe(organization.id);
		expect(acme.defaultDirectory).toBeNull();
		const own = encodeURIComponent(`/${managed.defaultDirectory}/`);
		expect((await admin.get(`/storage/stor-managed/directories/${own}`)).status).toBe(200);
	});

	it.each([
		['name', /^wbts-wbc-\w{10}$/],
		['address', /^s3:\/\/wbts-wbc-\w{10}$/],
	] as const)(
		'are named by the organization, its bucket by %s',
		async (fileStoreBucket, bucket) => {
			const { admin } = await open({ seed: 'demo', variants: { fileStoreBucket } });
			const { fileStore, storageIntegrations } = (await admin.get('/organization')).data;
			expect(fileStore.bucketName).toMatch(bucket);
			expect(storageIntegrations).toMatchObject([
				{ id: 'stor-acme', path: 's3://acme-jobs' },
				{ id: 'stor-open-data', path: 's3://acme-open-data/v1' },
			]);
		},
	);

	it('rename files, over any other of that name', async () => {
		const { admin, sandbox } = await open({ seed: 'demo' });
		const rename = async (path: string, query: string) =>
			(await admin.post(`/storage/stor-acme/file-rename/${path}${query}`)).status;
		expect(await rename('jobs/nightly_etl.py', '?new_name=etl.py')).toBe(200);
		const files = () => [...(sandbox.store.storages.get('stor-acme')?.files.keys() ?? [])];
		expect(files()).toEqual(['jobs/lib/helpers.py', 'README.md', 'jobs/etl.py']);
		expect(await rename('jobs/nightly_etl.py', '?new_name=etl.py')).toBe(404);
		expect(await rename('jobs/etl.py', '?new_name=a/b.py')).toBe(422);
		expect(await rename('jobs/etl.py', '')).toBe(422);
		expect(await rename('jobs/lib/', '?new_name=lab')).toBe(400);
	});

	it('give credentials for their own paths only', async () => {
		const { admin } = await open({ seed: 'demo' });
		const ask = async (body: object) => await admin.post('/storage/credentials', body);
		const { data } = await ask({ path: 's3://acme-jobs/jobs/x.py', access_mode: 'read_write' });
		expect(Object.keys(data).sort()).toEqual(
			['accessKeyId', 'expiration', 'region', 'secretAccessKey', 'sessionToken'].sort(),
		);
		expect((await ask({ path: 's3://acme-jobs' })).status).toBe(200);
		expect((await ask({ path: 's3://elsewhere/x.py' })).status).toBe(400);
		const readOnly = { path: 's3://acme-open-data/v1', access_mode: 'read_write' };
		expect((await ask(readOnly)).status).toBe(403);
		expect((await ask({ path: 'acme-jobs' })).status).toBe(422);
	});
});

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

	it('say when they expire, where the newer endpoint is there', async () => {
		const { admin, sandbox, clock } = await open({ seed: 'demo' });
		const ask = async () => await admin.get('/storage/stor-acme/file-download-url/README.md');
		const { downloadUrl, expiresAt } = (await ask()).data;
		const left = Date.parse(expiresAt) - clock.now();
		expect(left).toBe(sandbox.variants.presignedSeconds * 1000);
		expect((await plain.get(downloadUrl)).data).toBe('# Jobs\n');
		sandbox.variants.fileDownloadUrl = 'missing';
		expect((await ask()).status).toBe(404);
	});

	it.each([
		['a key', { 'X-API-Key': 'k' }, 400],
		['a token', { Authorization: 'Bearer t' }, 400],
		['the name of a client', { 'X-Wherobots-Client': 'client=x' }, 400],
		['a content type', { 'Content-Type': 'text/plain' }, 403],
	])('refuse %s', async (_, headers, status) => {
		const { admin } = await open({ seed: 'demo' });
		const { uploadUrl } = (await admin.post(UPLOAD)).data;
		const all = { ...typeless.headers, ...headers } as Record<string, string>;
		expect((await plain.put(uploadUrl, 'pass', { headers: all })).status).toBe(status);
	});

	it('refuse a file whose length is not given', async () => {
		const { admin } = await open({ seed: 'demo' });
		const { uploadUrl } = (await admin.post(UPLOAD)).data;
		expect((await plain.put(uploadUrl, Readable.from(['pass']), typeless)).status).toBe(501);
	});
});
