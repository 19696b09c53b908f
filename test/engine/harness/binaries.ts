/**
 * Loaded before each suite that runs workflows: n8n's engine keeps files in a folder, as n8n itself
 * does. What an operation gives is read back, so that tests find its bytes in the item.
 */
import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';
import type { IBinaryKeyData, INodeExecutionData } from 'n8n-workflow';

import { makeFileStore } from '../../support/files';

let dispose: () => Promise<void>;
const services = new WeakSet<BinaryDataService>();

// Programs that tests start use the harness as well, without jest.
if (typeof beforeAll === 'function') {
	beforeAll(async () => {
		({ dispose } = await makeFileStore());
		services.add(Container.get(BinaryDataService));
	});
	afterAll(async () => await dispose());
}

/** The items with the bytes of their files in Base64; where a test has a store of its own, as they are. */
export async function withBytes(items: INodeExecutionData[]): Promise<INodeExecutionData[]> {
	const service = Container.get(BinaryDataService);
	if (!services.has(service)) return items;
	const read = async (files: IBinaryKeyData) => {
		const entries = Object.entries(files).map(async ([name, file]) => {
			const bytes = await service.getAsBuffer(file);
			return [name, { ...file, data: bytes.toString('base64') }] as const;
		});
		return Object.fromEntries(await Promise.all(entries));
	};
	const all = items.map(async (item) =>
		item.binary ? { ...item, binary: await read(item.binary) } : item,
	);
	return await Promise.all(all);
}
