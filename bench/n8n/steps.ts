/** The steps of the workflows that are compared. */
import { CREDENTIAL_TYPE } from '../../test/e2e/n8n/workflows';

/** A node of a workflow; nodes run in the order in which they are given. */
export interface Step {
	name: string;
	type: string;
	typeVersion?: number;
	parameters: Record<string, unknown>;
}

/** The package as it is installed from the tarball, and the copy that never waits for its pace. */
export const PACKAGE = 'n8n-nodes-wherobots.wherobots';
export const UNPACED = 'CUSTOM.wherobots';

/** The step whose time counts carries this name, whatever node it is. */
export const MEASURED = 'Measured';

/** An operation of the package. */
export function wherobots(
	parameters: Record<string, unknown>,
	{ type = PACKAGE, name = MEASURED } = {},
): Step {
	return { name, type, parameters };
}

/** A task of the floor's node (see Floor.node.ts), for the items that it receives. */
export function floor(task: string, given: object[] = []): Step {
	const name = task === 'items' ? 'Items' : MEASURED;
	return { name, type: 'CUSTOM.floor', parameters: { task, items: JSON.stringify(given) } };
}

/** n8n's own HTTP Request node with the credential of the package. */
export function httpRequest(
	url: string,
	{ query, options = {} }: { query?: Record<string, unknown>; options?: object } = {},
): Step {
	return {
		name: MEASURED,
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.5,
		parameters: {
			url,
			authentication: 'predefinedCredentialType',
			nodeCredentialType: CREDENTIAL_TYPE,
			...(query && {
				sendQuery: true,
				queryParameters: {
					parameters: Object.entries(query).map(([name, value]) => ({ name, value })),
				},
			}),
			options,
		},
	};
}

/** HTTP Request's own pagination along the cursors of the service. */
export function cursorPagination(requestInterval = 0): object {
	return {
		pagination: {
			pagination: {
				paginationMode: 'updateAParameterInEachRequest',
				parameters: {
					parameters: [{ type: 'qs', name: 'cursor', value: '={{ $response.body.next_page }}' }],
				},
				paginationCompleteWhen: 'other',
				completeExpression: '={{ !$response.body.next_page }}',
				limitPagesFetched: false,
				requestInterval,
			},
		},
	};
}

export function splitOut(field: string): Step {
	return {
		name: 'Split Out',
		type: 'n8n-nodes-base.splitOut',
		parameters: { fieldToSplitOut: field, options: {} },
	};
}

export function extractFromFile(): Step {
	return {
		name: 'Extract from File',
		type: 'n8n-nodes-base.extractFromFile',
		parameters: { operation: 'csv', binaryPropertyName: 'data', options: {} },
	};
}
