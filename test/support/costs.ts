import type { IDataObject } from 'n8n-workflow';

import type { Fault } from '../sandbox';

/** Changes what the billing system says of each run. @param change gets what it says, and the ID that it has there */
export const editCosts = (change: (cost: IDataObject, id: string) => object): Fault => ({
	kind: 'edit',
	edit: ({ costs }: { costs: Record<string, IDataObject> }) => ({
		costs: Object.fromEntries(Object.entries(costs).map(([id, cost]) => [id, change(cost, id)])),
	}),
});

/** The billing system cannot tell the cost of a run, inside of a successful response. */
export const unavailable = (reason = 'upstream_error') => ({ kind: 'unavailable', reason });
