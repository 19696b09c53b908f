import { Readable } from 'node:stream';

import { asFailure } from '../../../nodes/Wherobots/transport/failure';
import type { CallOptions, Client } from '../../../nodes/Wherobots/transport/client';
import { readSmallFile } from '../../../nodes/Wherobots/transport/transfer';

const headers = { 'content-type': 'application/x-yaml', 'transfer-encoding': 'chunked' };

/** Reads a body of these pieces, and what was asked for. */
async function reading(maxBytes: number, ...pieces: string[]) {
	const asked: unknown[] = [];
	const body = Readable.from(pieces.map((piece) => Buffer.from(piece)));
	const client = {
		deadline: Infinity,
		clean: asFailure,
		stream: async (id: string, options: CallOptions) => {
			asked.push(id, options);
			return await Promise.resolve({ kind: 'stream', status: 200, headers, body });
		},
	} as unknown as Client;
	const path = { id: 'c1' };
	const file = await readSmallFile(client, 'exportAuditLog', { path }, maxBytes).catch(
		(error: Error) => error,
	);
	expect(asked).toEqual(['exportAuditLog', { path }]);
	return file;
}

it('a file is read whole, up to the limit', async () => {
	expect(await reading(5, 'ab', 'cde')).toEqual(Buffer.from('abcde'));
	expect(await reading(5)).toEqual(Buffer.alloc(0));
});

it('a file that is larger is refused', async () => {
	expect(await reading(4, 'ab', 'cde')).toMatchObject({
		message: 'The file is larger than expected',
		description: expect.stringMatching(/^More than 4 bytes arrived\. Check 'Base URL'/),
	});
});
