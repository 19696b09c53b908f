import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';

import { errorItem } from '../../../../nodes/Wherobots/actions/execution/errorItem';
import { toNodeApiError } from '../../../../nodes/Wherobots/transport/failures/errors';

const node = { name: 'Wherobots' } as INode;

it('the item for a failed request contains all that is known about it', () => {
	const error = toNodeApiError(node, {
		message: 'No',
		description: 'Because',
		httpCode: '409',
		codes: ['CONFLICT'],
		temporary: true,
		facts: { runId: 'r' },
	});
	expect(errorItem(error, 3)).toEqual({
		json: {
			error: {
				message: 'No',
				description: 'Because',
				httpCode: 409,
				codes: ['CONFLICT'],
				temporary: true,
				runId: 'r',
			},
		},
		pairedItem: { item: 3 },
	});
});

it.each([
	['a failure that is not temporary', { temporary: false }, {}],
	[
		'a request that may have been carried out',
		{ temporary: true, ambiguous: true },
		{ ambiguous: true },
	],
	['a failure without an HTTP status', { httpCode: 'ECONNRESET' }, {}],
])('the item for %s says no more than is known', (_, more, known) => {
	const error = toNodeApiError(node, { message: 'No', description: '', ...more });
	expect(errorItem(error, 0).json).toEqual({ error: { message: 'No', ...known } });
});

it("the item for one of the node's own errors has only its message and description", () => {
	const error = new NodeOperationError(node, 'No', { description: 'Because' });
	expect(errorItem(error, 0).json).toEqual({ error: { message: 'No', description: 'Because' } });
});

it('the item for an error that n8n itself made has no codes, and the status that n8n gave it', () => {
	const error = new NodeApiError(node, {}, { message: 'No', httpCode: '502' });
	expect(errorItem(error, 0).json.error).toMatchObject({ message: 'No', httpCode: 502 });
	expect(errorItem(error, 0).json.error).not.toHaveProperty('codes');
});
