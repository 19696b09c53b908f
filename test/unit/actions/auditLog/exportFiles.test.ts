import { NodeOperationError, type IExecuteFunctions, type INode } from 'n8n-workflow';

import { hintAtSize } from '../../../../nodes/Wherobots/actions/auditLog/exportFiles';

/** A file as n8n's store has it; without an id in memory, or in the database. */
const file = (bytes: number, id?: string) => ({
	item: { json: { bytes }, binary: { data: { data: '', mimeType: 'text/csv', id } } },
});

const failure = { failure: new NodeOperationError({ name: 'Wherobots' } as INode, 'It failed') };

function hintsAt(...pieces: Parameters<typeof hintAtSize>[1]): string[] {
	const hints: string[] = [];
	const addExecutionHints = ({ message }: { message: string }) => hints.push(message);
	hintAtSize({ context: { addExecutionHints } as unknown as IExecuteFunctions }, pieces);
	return hints;
}

it('points to smaller files where a large one was held in memory', () => {
	const hints = hintsAt(file(3), failure, file(212_400_000), file(120_000_000, 'database:1'));
	expect(hints).toEqual([expect.stringMatching(/^A file of 212 MB .*Set 'Split Into' to smaller/)]);
	expect(hintsAt(file(100_000_000))).toHaveLength(1);
	expect(hintsAt(file(100_000_000, 's3:filesystem'))).toHaveLength(1);
});

it('says nothing of files that are small or streamed, and of failures', () => {
	expect(hintsAt()).toEqual([]);
	expect(hintsAt(file(99_999_999), failure)).toEqual([]);
	expect(hintsAt(file(900_000_000, 'filesystem-v2:workflows/1'), file(1))).toEqual([]);
});
