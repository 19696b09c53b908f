import type { NodeApiError } from 'n8n-workflow';

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

/** The item for a result that the session stored at this address. */
async function fetched(uri: string | null) {
	const download = jest.mocked(downloadResult).mockReset();
	download.mockResolvedValue({ binary, tally });
	const call = { client: fileClient({}).client, context: {} };
	const file = { name: 'rows.csv', mimeType: 'text/csv', field: 'data', map: undefined };
	const given = await fileItem(call as never, uri, file, ids).then(
		(item) => ({ item }),
		(error: NodeApiError) => ({ error }),
	);
	return { ...given, downloads: download.mock.calls.map(([, address]) => address) } as {
		item?: unknown;
		error?: NodeApiError;
		downloads: string[];
	};
}

it('returns the file', async () => {
	const { item, downloads } = await fetched('HTTPS://storage.example/a');
	expect(item).toEqual({
		json: { ...ids, state: 'succeeded', fileName: 'rows.csv', ...tally },
		binary: { data: binary },
	});
	expect(downloads).toEqual(['HTTPS://storage.example/a']);
});

it.each(['s3://bucket/a.csv', '/tmp/https:a.csv'])(
	'says where a result is when it cannot be downloaded: %s',
	async (uri) => {
		const { error, downloads } = await fetched(uri);
		expect(error && explanationOf(error)).toContain(`Its result is at ${uri}.`);
		expect(error && factsOf(error)).toEqual({ resultUri: uri });
		expect(downloads).toEqual([]);
	},
);
