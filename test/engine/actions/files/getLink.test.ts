import axios from 'axios';

import { by, fileNode } from '../../../support/files';
import { ok, suiteWithSandbox } from '../../harness/suite';

const suite = suiteWithSandbox();
const path = 'jobs/nightly_etl.py';
const link = async (file = path) =>
	await suite.run(fileNode('getLink', { filePath: by('path', file) }));
const contentAt = async (url: unknown) =>
	(await axios.get<string>(String(url), { responseType: 'text' })).data;

it('gives a link that anyone can download the file from, and when it expires', async () => {
	const { json } = ok(await link());
	expect(json).toEqual([
		{
			storageId: 'stor-acme',
			path,
			name: 'nightly_etl.py',
			url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/acme-jobs\/jobs\/nightly_etl\.py\?/),
			expiresAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
		},
	]);
	const left = Date.parse(String(json[0].expiresAt)) - suite.clock.now();
	expect(left / 1000).toBeCloseTo(suite.variants.presignedSeconds, 0);
	expect(await contentAt(json[0].url)).toBe('print("nightly")\n');
});

it('is that of the redirect where the service has no other', async () => {
	suite.variants.fileDownloadUrl = 'missing';
	const { json } = ok(await link(`/${path}`));
	expect(json[0]).toMatchObject({ path, expiresAt: null });
	expect(await contentAt(json[0].url)).toBe('print("nightly")\n');
});

it.each(['available', 'missing'] as const)('says that a file is not there (%s)', async (newer) => {
	suite.variants.fileDownloadUrl = newer;
	const { error } = await link('jobs/none.py');
	expect(error?.httpCode).toBe('404');
	expect(error?.message).toBe('There is nothing at "jobs/none.py" in this storage');
});

it('says so where the service only sends files themselves', async () => {
	Object.assign(suite.variants, { fileDownloadUrl: 'missing', fileDownload: 'body' });
	expect((await link()).error?.message).toBe('Wherobots Cloud has no link to this file');
});

it('gives no link that is not secure', async () => {
	const downloadUrl = 'http://elsewhere.example/x';
	suite.responds('createDownloadUrl', { downloadUrl, expiresAt: null });
	const { error } = await link();
	expect(error?.message).toBe('The URL for the file is not secure');
	expect(JSON.stringify(error)).not.toContain('elsewhere.example');
});

it.each([{}, 'text'])('takes the redirect instead of %j', async (body) => {
	suite.responds('createDownloadUrl', body);
	expect(await contentAt((await link()).json[0].url)).toBe('print("nightly")\n');
});
