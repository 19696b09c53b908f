import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';

import { errorItem } from '../../../../nodes/Wherobots/actions/execution/errorItem';
import { toNodeApiError } from '../../../../nodes/Wherobots/transport/failures/errors';

const node = { name: 'Wherobots' } as INode;

it('a failure of the service tells all that is known of it', () => {
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
	['what does not pass', { temporary: false }, {}],
	['what may have been done', { temporary: true, ambiguous: true }, { ambiguous: true }],
	['what has no status of the service', { httpCode: 'ECONNRESET' }, {}],
])('of %s it says no more than it knows', (_, more, known) => {
	const error = toNodeApiError(node, { message: 'No', description: '', ...more });
	expect(errorItem(error, 0).json).toEqual({ error: { message: 'No', ...known } });
});

it('a failure of the node itself has its words alone', () => {
	const error = new NodeOperationError(node, 'No', { description: 'Because' });
	expect(errorItem(error, 0).json).toEqual({ error: { message: 'No', description: 'Because' } });
});

it('a failure that is not made of a response has no codes, and the status that n8n gives it', () => {
	const error = new NodeApiError(node, {}, { message: 'No', httpCode: '502' });
	expect(errorItem(error, 0).json.error).toMatchObject({ message: 'No', httpCode: 502 });
	expect(errorItem(error, 0).json.error).not.toHaveProperty('codes');
});
