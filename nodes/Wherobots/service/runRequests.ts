import type { IDataObject } from 'n8n-workflow';

import { contains, type Run } from './types';

/** A request for a run: the query's region and the body (interface, "Run payload"). */
export interface RunRequest {
	/** Undefined for the organization's default. */
	region: string | undefined;
	payload: IDataObject & { name: string };
}

/**
 * Whether a run is one of this request: everything that was sent comes back in it. The service adds
 * defaults, and lowers a timeout to the organization's maximum (interface, "Run payload").
 *
 * @param run the run in full: items of a list leave out parts of the payload
 */
export function isRunOf(run: Run, { region, payload }: RunRequest): boolean {
	if (run.name !== payload.name) return false;
	const ranIn = run.kubeApp?.regionName;
	if (region !== undefined && ranIn !== undefined && ranIn !== region) return false;
	const { timeoutSeconds, ...rest } = payload;
	const echoed = run.payload ?? {};
	if (timeoutSeconds !== undefined && !(Number(echoed.timeoutSeconds) <= Number(timeoutSeconds))) {
		return false;
	}
	return contains(echoed, rest);
}
