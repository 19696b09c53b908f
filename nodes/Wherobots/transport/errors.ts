import { NodeApiError, type INode } from 'n8n-workflow';

import type { Failure } from './failure';

/**
 * The error that n8n shows for a failure of the service. `httpCode` and `failure` are what n8n's
 * scheduler reads to decide when to poll again.
 */
export function toNodeApiError(node: INode, failure: Failure): NodeApiError {
	const error = new NodeApiError(
		node,
		{ message: failure.message, codes: failure.codes, requestId: failure.requestId ?? null },
		{
			message: failure.message,
			description: failure.description,
			httpCode: failure.httpCode,
			failure: schedulerHint(failure),
		},
	);
	// The constructor replaces a message that happens to contain a Node.js error code ("EPERM" is in
	// "hypermedia"), and takes a missing status for one it finds in the body.
	error.message = failure.message;
	error.description = failure.description;
	error.messages = [];
	error.httpCode = failure.httpCode ?? null;
	Object.assign(error.context, {
		codes: failure.codes,
		ambiguous: failure.ambiguous ?? false,
		addressAtFault: failure.addressAtFault ?? false,
	});
	return error;
}

type SchedulerHint = NonNullable<NodeApiError['failure']>;

function schedulerHint({ httpCode, retryAfterMs }: Failure): SchedulerHint | undefined {
	if (httpCode === '401') return { cause: 'credential-invalid' };
	if (httpCode === '429') return { cause: 'rate-limited', retryAfterMs };
	if (httpCode === undefined || httpCode.startsWith('5')) {
		return { cause: 'temporarily-unavailable', retryAfterMs };
	}
	return undefined;
}

/** Whether an error is the service's answer with this status. */
export function hasStatus(error: unknown, status: number): error is NodeApiError {
	return error instanceof NodeApiError && error.httpCode === String(status);
}
