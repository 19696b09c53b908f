/** How an operation is used in the tests that go over the whole table: see cases.ts. */
import type { INodeParameters } from 'n8n-workflow';

import type { EndpointId, Sandbox } from '../../sandbox';
import { by } from '../../support/files';

export interface OperationCase {
	/** The request that the operation is about. */
	endpoint: EndpointId;
	good(sandbox: Sandbox): INodeParameters;
	/** Parameters that replace good ones, and what the node says about them. */
	bad: [change: INodeParameters, message: string];
	/** Other uses, which reach other endpoints. */
	also?: Array<(sandbox: Sandbox) => INodeParameters>;
	/** The operation waits while the service is out of order, and says so at the end. */
	waits?: boolean;
	/** What it requests where the service does not have that endpoint, not this record, or refuses. */
	instead?: EndpointId;
	/** One request serves many items. */
	shared?: boolean;
}

export const use = (
	endpoint: EndpointId,
	good: INodeParameters | OperationCase['good'],
	bad: OperationCase['bad'],
	more: Partial<OperationCase> = {},
): OperationCase => ({
	...{ endpoint, bad, ...more },
	good: typeof good === 'function' ? good : () => good,
});

/** A bad use of what lists records. */
export const noLimit: OperationCase['bad'] = [
	{ returnAll: false, limit: 0 },
	"'Limit' must be at least 1",
];

/** A bad use of what names a record. */
export const dots = (name: string, label: string): OperationCase['bad'] => [
	{ [name]: by('id', '..') },
	`'${label}' must not be ".."`,
];
