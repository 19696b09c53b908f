import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';

import type { BodyReader } from '../../transport/download/bodyReader';
import { hashed, type FileTally } from '../../transport/download/hashed';
import { toReadable } from '../../transport/download/readable';

/**
 * Streams a download into n8n's binary store, counted and hashed on the way. The stored file is
 * complete only when `bytes` ends without an error; otherwise the write fails and nothing is kept.
 *
 * @param reader where the bytes come from
 * @param mimeType when undefined, n8n goes by the name
 */
export async function storeDownload(
	{ helpers }: Pick<IExecuteFunctions, 'helpers'>,
	reader: BodyReader,
	bytes: AsyncIterable<Uint8Array>,
	fileName: string,
	mimeType?: string,
): Promise<{ binary: IBinaryData; tally: FileTally }> {
	const { output, tally } = hashed(bytes);
	const stream = toReadable(reader.response.body, output, () => reader.stop());
	const binary = await helpers.prepareBinaryData(
		stream as Parameters<typeof helpers.prepareBinaryData>[0],
		fileName,
		mimeType,
	);
	return { binary, tally };
}
