import type { NodeApiError, NodeExecutionHint } from 'n8n-workflow';

import { fileItem } from '../../../../nodes/Wherobots/actions/sql/resultFile';
import { explanationOf, factsOf } from '../../../../nodes/Wherobots/transport/failures/errors';
import { downloadResult } from '../../../../nodes/Wherobots/transport/files/downloadFile';
import { fileClient } from '../../../support/fileClient';

jest.mock('../../../../nodes/Wherobots/transport/files/downloadFile', () => ({
	downloadResult: jest.fn(),
}));

const ids = { executionId: 'e-1', sessionId: 's-1' };
const binary = { data: '', mimeType: 'text/csv', fileName: 'rows.csv' };
const tally = { bytes: 5, sha256: 'abc' };

/** The item for a result that the session has stored like this; the storage sends five bytes. */
async function fetched(uri: string | null, size?: number) {
	const download = jest.mocked(downloadResult).mockReset();
	download.mockResolvedValue({ binary, tally });
	const hints: NodeExecutionHint[] = [];
	const context = { addExecutionHints: (hint: NodeExecutionHint) => hints.push(hint) };
	const call = { client: fileClient({}).client, context };
	const file = { name: 'rows.csv', mimeType: 'text/csv', field: 'data' };
	const given = await fileItem(call as never, { kind: 'stored', uri, size }, file, ids).then(
		(item) => ({ item }),
		(error: NodeApiError) => ({ error }),
	);
	return { ...given, hints, downloads: download.mock.calls.map(([, address]) => address) } as {
		item?: unknown;
		error?: NodeApiError;
		hints: NodeExecutionHint[];
		downloads: string[];
	};
}

it.each([undefined, 5])('gives the file that was announced (%p bytes)', async (size) => {
	const { item, hints, downloads } = await fetched('HTTPS://storage.example/a', size);
	expect(item).toEqual({
		json: { ...ids, state: 'succeeded', fileName: 'rows.csv', ...tally },
		binary: { data: binary },
	});
	expect(hints).toEqual([]);
	expect(downloads).toEqual(['HTTPS://storage.example/a']);
});

it.each([0, 4, 6])('says when a file of %i bytes was announced and another came', async (size) => {
	const { item, hints } = await fetched('https://storage.example/a', size);
	expect(item).toMatchObject({ json: tally });
	expect(hints).toEqual([
		{ message: expect.stringMatching(`${size} bytes.* sent 5`) as string, type: 'warning' },
	]);
});

it.each(['s3://bucket/a.csv', '/tmp/https:a.csv'])(
	'says where a result is that cannot be fetched: %s',
	async (uri) => {
		const { error, downloads } = await fetched(uri);
		expect(error && explanationOf(error)).toContain(`Its result is at ${uri}.`);
		expect(error && factsOf(error)).toEqual({ resultUri: uri });
		expect(downloads).toEqual([]);
	},
);
