import { Readable } from 'node:stream';

import { downloadFile } from '../../../../nodes/Wherobots/transport/files/downloadFile';
import type { PresignedResult } from '../../../../nodes/Wherobots/transport/files/presigned';
import { fileClient, refusal } from '../../../support/fileClient';
import { suiteInVirtualTime } from '../../../support/virtualTime';

const time = suiteInVirtualTime();

const place = { storageId: 's', path: 'a/f' };

async function textOf(bytes: AsyncIterable<Uint8Array>): Promise<string> {
	let text = '';
	for await (const block of bytes) text += Buffer.from(block);
	return text;
}

describe('a download', () => {
	const found = (text: string): PresignedResult => ({
		kind: 'stream',
		status: 200,
		headers: { 'content-length': String(text.length) },
		body: Readable.from([Buffer.from(text)]),
	});
	const redirect = { kind: 'redirect', headers: {}, location: 'https://b/get' };

	it('is fetched from the address to which the service redirects', async () => {
		const { client, asked, sent } = fileClient({
			calls: { downloadFile: () => redirect },
			presigned: [found('abc')],
		});
		expect(await downloadFile(client, place, textOf)).toBe('abc');
		expect(asked).toEqual(['downloadFile a/f']);
		expect(sent).toEqual([{ method: 'GET', address: 'https://b/get' }]);
	});

	it('may be in the response itself', async () => {
		const { client, sent } = fileClient({ calls: { downloadFile: () => found('abc') } });
		expect(await downloadFile(client, place, textOf)).toBe('abc');
		expect(sent).toEqual([]);
	});

	it.each([
		['a page', 'text/html; charset=utf-8', 'page.html', '<html></html>'],
		['what begins like one', 'text/plain', 'f.md', '<html></html>'],
		['text that a storage calls HTML', 'text/html', 'f', 'a < b'],
		['an error', 'application/xml', 'e.XML', '<Error><Code>X</Code></Error>'],
		['other XML', 'application/xml', 'f', '<Errors><Code>X</Code></Errors>'],
	])('may be %s', async (_, type, path, text) => {
		const answer = {
			...found(text),
			headers: { 'content-type': type, 'transfer-encoding': 'chunked' },
		};
		const { client } = fileClient({ calls: { downloadFile: () => answer } });
		expect(await downloadFile(client, { storageId: 's', path }, textOf)).toBe(text);
	});

	it('that breaks off begins anew', async () => {
		const broken = Readable.from([Buffer.from('ab')]);
		const answers = [{ ...found('abc'), body: broken }, found('abc')];
		const { client, asked } = fileClient({ calls: { downloadFile: () => answers.shift() } });
		expect(await time.during(downloadFile(client, place, textOf))).toBe('abc');
		expect(asked).toHaveLength(2);
	});

	it('of what is not there says so', async () => {
		const { client } = fileClient({
			calls: { downloadFile: () => refusal(404) },
			folders: { '': [] },
		});
		await expect(downloadFile(client, place, textOf)).rejects.toMatchObject({
			description: expect.stringMatching(/^There is nothing at "a\/f" in this storage\./),
		});
	});

	it('that the storage refuses tells of the download', async () => {
		const { client } = fileClient({
			calls: { downloadFile: () => redirect },
			presigned: [{ kind: 'refused', status: 416 }],
		});
		await expect(downloadFile(client, place, textOf)).rejects.toMatchObject({
			message: 'The storage did not return the file',
		});
	});
});
