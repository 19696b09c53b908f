import { type INode } from 'n8n-workflow';

import { readBinaryFile } from '../../../../nodes/Wherobots/actions/operations/itemFiles';
import { inputOf } from '../../../support/input';

const node = { name: 'Wherobots' } as INode;
const bytes = Buffer.from('print(1)\n');
const stream = {};

/** Reads a file that n8n holds in this way. */
async function readFile(binary: object, fileSize?: unknown, buffer: unknown = bytes) {
	const helpers = {
		assertBinaryData: () => binary,
		getBinaryMetadata: jest.fn(async () => await Promise.resolve({ fileSize })),
		getBinaryStream: jest.fn(async () => await Promise.resolve(stream)),
		getBinaryDataBuffer: jest.fn(async () => await Promise.resolve(buffer)),
	};
	const input = inputOf({ binaryPropertyName: 'data', fileName: '' });
	const context = { helpers, getNode: () => node, getInputData: () => Array(4).fill({}) };
	const read = readBinaryFile({ context, input, itemIndex: 3 } as never);
	return { helpers, ...(await read) };
}

const stored = { id: 'filesystem:1', mimeType: 'text/plain', fileName: 'a.py' };

describe('an input file', () => {
	it.each([undefined, null, '9', NaN, 1.5])(
		'is read as a whole where its length is not known: %j',
		async (fileSize) => {
			const { helpers, source } = await readFile(stored, fileSize);
			expect(source.size).toBe(bytes.length);
			expect(await source.open()).toBe(bytes);
			expect(helpers.getBinaryDataBuffer.mock.calls).toEqual([[3, 'data']]);
			expect(helpers.getBinaryStream).not.toHaveBeenCalled();
		},
	);

	it('must come in a form that can be sent', async () => {
		const failure = await readFile({ ...stored, id: '' }, 9, 'text').catch((error) => error);
		expect(failure).toMatchObject({
			message: 'n8n could not read the input file: run the node that provides it again',
		});
	});

	it.each([{}, { mimeType: 7 }, () => undefined])('cannot be %p', async (binary) => {
		await expect(readFile(binary)).rejects.toThrow(/^'Input Binary Field' must name a field/);
	});
});
