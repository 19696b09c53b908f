import { Readable } from 'node:stream';

import type { INode } from 'n8n-workflow';

import {
	readExport,
	readTable,
} from '../../../../nodes/Wherobots/transport/auditExport/readExport';
import { AUDIT_COLUMNS } from '../../../../nodes/Wherobots/service/auditLog';
import type { Client } from '../../../../nodes/Wherobots/transport/client';
import { type BodyReader } from '../../../../nodes/Wherobots/transport/download/bodyReader';
import { toNodeApiError } from '../../../../nodes/Wherobots/transport/failures/errors';

const header = `${AUDIT_COLUMNS.join(',')}\n`;

async function* bytesOf(text: string) {
	yield await Promise.resolve(Buffer.from(text));
}

const responseWith = (text: string) => ({
	kind: 'stream',
	status: 200,
	headers: { 'content-length': String(Buffer.byteLength(text)) },
	body: Readable.from([Buffer.from(text)]),
});

describe('the table of an export', () => {
	const read = async (text: string) => await readTable(bytesOf(text));

	it('is known by its columns, whatever their order and whatever is added', async () => {
		const columns = ['more', ...[...AUDIT_COLUMNS].reverse()];
		const table = await read(`${columns.join(',')}\n`);
		expect(table).toMatchObject({ columns, idColumn: columns.indexOf('event_id') });
	});

	it.each(['', '\uFEFF'])('may be empty: %j', async (text) => {
		expect(await read(text)).toMatchObject({ columns: [], idColumn: -1 });
	});

	it.each([
		['as it is', header],
		['without a line end', header.trim()],
		['with CRLF', header.replace('\n', '\r\n')],
		['with a byte order mark', `\uFEFF${header}`],
		['in quotes', `"${AUDIT_COLUMNS.join('","')}"\n`],
	])('may be a header row alone, %s', async (_, text) => {
		const { blocks, head, ...table } = await read(text);
		expect(table).toEqual({ columns: AUDIT_COLUMNS, idColumn: 0 });
		expect(Buffer.from(head, 'latin1').toString()).toBe(text);
		for await (const block of blocks) expect(block).toBeUndefined();
	});

	it('has no column twice', async () => {
		await expect(read('event_id,event_time,x,x\n')).rejects.toMatchObject({
			problem: 'foreign',
			message: expect.stringMatching(/its header row repeats "x"$/),
		});
	});

	it('is not a header row that was cut off', async () => {
		const cut = header.slice(0, header.lastIndexOf(','));
		await expect(read(cut)).rejects.toMatchObject({
			problem: 'foreign',
			message: expect.stringMatching(/its header row lacks compute_region$/),
		});
		expect(await read(`${cut}\n`)).toMatchObject({ idColumn: 0 });
	});

	it.each([
		['other columns', 'a,b\n1,2\n'],
		['a page', '<html>\n<body class="x">\n'],
		['a blank line', '\n'],
		['text without a row', 'x'.repeat(70_000)],
		['a record', '{"errors":[{"code":"X","message":"Y"}]}'],
		['an open quote', '"a,b'],
	])('is not %s, of which the beginning is shown', async (_, text) => {
		await expect(read(text)).rejects.toMatchObject({
			problem: 'foreign',
			message: expect.stringMatching(
				/^The response is not an audit log export: its header row lacks event_id and event_time/,
			),
			excerpt: text.slice(0, 4_096),
		});
	});
});

describe('the path of an export', () => {
	const refusal = (status: number, message = 'm') =>
		toNodeApiError({} as INode, { message, description: '', httpCode: String(status) });

	/** Reads an export from a deployment whose paths answer like this. */
	async function reading(answers: Record<string, () => unknown>) {
		const asked: string[] = [];
		const client = {
			baseUrl: 'https://a',
			deadline: Infinity,
			stream: async (path: string, { query }: { query: object }) => {
				expect(query).toEqual({ search: 'x' });
				asked.push(path);
				const answer = await Promise.resolve(answers[path]());
				if (answer instanceof Error) throw answer;
				return answer;
			},
		} as unknown as Client;
		const use = async ({ columns }: { columns: string[] }, reader: BodyReader) =>
			await Promise.resolve([columns.length, reader.response.status]);
		const result = await readExport(client, { search: 'x' }, use).catch((error: Error) => error);
		return { asked, result };
	}

	const found = () => responseWith(header);
	const [first, second] = ['exportAuditLog', 'exportAuditLogByGuidePath'];

	it('is that of the description where it is there', async () => {
		const { asked, result } = await reading({ [first]: found, [second]: found });
		expect(asked).toEqual([first]);
		expect(result).toEqual([AUDIT_COLUMNS.length, 200]);
	});

	it('is that of the guide otherwise', async () => {
		const answers = { [first]: () => refusal(404), [second]: found };
		const { asked, result } = await reading(answers);
		expect(asked).toEqual([first, second]);
		expect(result).toEqual([AUDIT_COLUMNS.length, 200]);
	});

	it('of which the guide speaks tells why it failed', async () => {
		const answers = { [first]: () => refusal(404), [second]: () => refusal(403) };
		expect((await reading(answers)).result).toMatchObject({ httpCode: '403' });
	});

	it('is not looked for after another failure', async () => {
		const { asked, result } = await reading({ [first]: () => refusal(403), [second]: found });
		expect(asked).toEqual([first]);
		expect(result).toMatchObject({ httpCode: '403' });
	});

	it('that is nowhere is told by the first refusal', async () => {
		const { asked, result } = await reading({
			[first]: () => refusal(404, 'first'),
			[second]: () => refusal(404, 'second'),
		});
		expect(asked).toEqual([first, second]);
		expect(result).toMatchObject({ message: 'first' });
	});
});
