import { Readable } from 'node:stream';

import {
	downloadFile,
	downloadResult,
} from '../../../../nodes/Wherobots/transport/files/downloadFile';
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

	/** A client that downloads what is sent as this type, in these pieces. */
	const sending = (type: string, ...pieces: string[]) =>
		fileClient({
			calls: {
				downloadFile: () => ({
					...found(''),
					headers: { 'content-type': type, 'transfer-encoding': 'chunked' },
					body: Readable.from(pieces.map((piece) => Buffer.from(piece))),
				}),
			},
		}).client;

	const failure = '<Error><Code>X</Code></Error>';

	it.each([
		['a page', 'text/html; charset=utf-8', 'page.html', '<html></html>'],
		['a page with a short name', 'text/html', 'page.HTM', '<html></html>'],
		['what begins like one', 'text/plain', 'f.md', '<html></html>'],
		['of a type that only ends like one', 'application/x-text/html', 'f.md', '<html></html>'],
		['text that a storage calls HTML', 'text/html', 'f', 'a < b <'],
		['an error', 'application/xml', 'e.XML', failure],
		['other XML', 'application/xml', 'f', '<Errors><Code>X</Code></Errors>'],
		['text with an error in it', 'text/plain', 'f', `It says: ${failure}`],
	])('may be %s', async (_, type, path, text) => {
		const client = sending(type, text);
		expect(await downloadFile(client, { storageId: 's', path }, textOf)).toBe(text);
	});

	it('may have a part that begins like an error', async () => {
		expect(await downloadFile(sending('text/plain', 'a', failure), place, textOf)).toContain(
			failure,
		);
	});

	it.each([
		['A web page', 'text/html', 'f.csv', '\n <!doctype html>'],
		['A web page', 'Text/HTML', 'page.html.csv', '<html></html>'],
		['An error', 'application/xml', 'f', failure],
		['An error', 'application/xml', 'e.xml.gz', '<Error>\n<Message>No</Message>\n<Code>X</Code>'],
		['An error', '', 'f', `<?xml version="1.0" encoding="UTF-8"?>\n\n${failure}`],
		['An error', '', 'f', `<?xml version="1.0"?>${failure}`],
	])('is refused when it is something else: %s (%s, %s)', async (what, type, path, text) => {
		const client = sending(type, text);
		const done = time.during(downloadFile(client, { storageId: 's', path }, textOf));
		await expect(done).rejects.toMatchObject({
			message: 'The response is not the file',
			description: expect.stringContaining(`${what} was sent instead of the file.`),
		});
	});

	it('of a result comes from its own address, whose path tells what it is', async () => {
		const address = 'https://b/r.csv?key=e.xml';
		const { client, asked, sent } = fileClient({ presigned: [found('a,b')] });
		expect(await downloadResult(client, address, textOf)).toBe('a,b');
		expect([asked, sent]).toEqual([[], [{ method: 'GET', address }]]);
		const refused = fileClient({ presigned: Array.from({ length: 5 }, () => found(failure)) });
		const done = time.during(downloadResult(refused.client, address, textOf));
		await expect(done).rejects.toMatchObject({ message: 'The response is not the file' });
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
