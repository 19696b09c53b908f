import type { EndpointId } from '../../service/endpoints';
import type { CallOptions, Client } from '../client';
import { transfer } from './transfer';
import { Failure } from '../failure';

/**
 * Reads a whole file into memory.
 *
 * @param maxBytes larger files are rejected as soon as they exceed it
 * @throws Failure, CancelledError as `transfer` does
 */
export async function readSmallFile(
	client: Client,
	id: EndpointId,
	options: CallOptions,
	maxBytes: number,
): Promise<Buffer> {
	const open = async () => await client.stream(id, options);
	return await transfer(client, open, async (reader) => {
		const blocks: Uint8Array[] = [];
		let size = 0;
		for await (const block of reader) {
			size += block.length;
			if (size > maxBytes) {
				throw new Failure({
					message: 'The file is larger than expected',
					description: `More than ${maxBytes} bytes arrived. Check 'Base URL' in the credential.`,
				});
			}
			blocks.push(block);
		}
		return Buffer.concat(blocks);
	});
}
