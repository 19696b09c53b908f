import type { INodeExecutionData } from 'n8n-workflow';

import { item } from '../../parameters/items';
import { downloadResult } from '../../transport/files/storage';
import { withMap } from '../operations/mapOutput';
import type { Call } from '../operations/operation';
import { storeDownload } from '../operations/storeDownload';
import type { ResultFile } from './query';
import { Failure } from '../../transport/failure';

/**
 * The item for a result that the session stored as a file, with the file. An empty result has no file;
 * its item has `rows: 0`.
 *
 * @throws Failure when the file cannot be fetched
 */
export async function fileItem(
	{ client, context }: Call,
	uri: string | null,
	{ name, mimeType, field, map }: ResultFile,
	ids: { executionId: string; sessionId: string },
): Promise<INodeExecutionData> {
	if (uri !== null && !/^https?:/i.test(uri)) {
		throw new Failure({
			message: 'The SQL session did not provide a URL for downloading the result',
			description: `Its result is at ${uri}. Fetch it from there.`,
			facts: { resultUri: uri },
		});
	}
	return await withMap(context, map, async (watch) => {
		if (uri === null) return item({ ...ids, state: 'succeeded', rows: 0 });
		const { binary, tally } = await downloadResult(
			client,
			uri,
			async (bytes, reader) => await storeDownload(context, reader, watch(bytes), name, mimeType),
		);
		return {
			json: { ...ids, state: 'succeeded', fileName: name, ...tally },
			binary: { [field]: binary },
		};
	});
}
