import { NodeApiError, type INode, type NodeError, type NodeOperationError } from 'n8n-workflow';

import type { ErrorFacts } from './facts';
import type { Failure } from './failure';
import { bounded, lines } from './plainText';

/** Maximum lengths of an error's texts: names and IDs from expressions can be very long. */
const MAX_MESSAGE = 1_000;
const MAX_DESCRIPTION = 8_000;

/**
 * The error that n8n shows for a failure of the service. n8n's scheduler reads `httpCode` and
 * `failure` to decide when to poll again.
 */
export function toNodeApiError(node: INode, { ...failure }: Failure): NodeApiError {
	failure.message = bounded(failure.message, MAX_MESSAGE);
	failure.description = bounded(failure.description, MAX_DESCRIPTION);
	const error = new NodeApiError(
		node,
		{ message: failure.message, codes: failure.codes ?? [], requestId: failure.requestId ?? null },
		{
			message: failure.message,
			description: forPanel(failure.description),
			httpCode: failure.httpCode,
			failure: schedulerHint(failure),
		},
	);
	// The constructor replaces a message that happens to contain a Node.js error code ("EPERM" is in
	// "hypermedia"), and takes one from the body when the status is missing.
	error.message = failure.message;
	error.description = forPanel(failure.description);
	error.messages = [];
	error.httpCode = failure.httpCode ?? null;
	Object.assign(error.context, {
		explanation: failure.description,
		codes: failure.codes ?? [],
		ambiguous: failure.ambiguous ?? false,
		temporary: failure.temporary ?? false,
		addressAtFault: failure.addressAtFault ?? false,
		places: failure.places ?? [],
		facts: {
			...failure.facts,
			...(failure.requestId ? { requestId: failure.requestId } : {}),
			...(failure.ambiguous ? { ambiguous: true } : {}),
		},
	});
	return error;
}

/** The failure behind an error, for creating further errors: one for each affected item. */
export function failureOf(error: NodeApiError): Failure {
	const { codes, ambiguous, temporary, places, addressAtFault } = error.context;
	return {
		message: error.message,
		description: explanationOf(error),
		httpCode: error.httpCode ?? undefined,
		codes: codes as string[],
		ambiguous: ambiguous === true,
		temporary: temporary === true,
		places: places as string[],
		addressAtFault: addressAtFault === true,
		facts: factsOf(error),
	};
}

/** The facts of an error, for workflows. */
export function factsOf(error: NodeError): ErrorFacts {
	return (error.context?.facts ?? {}) as ErrorFacts;
}

/** Whether it is unclear if the request behind this error was handled. */
export function isAmbiguous(error: unknown): error is NodeApiError {
	return error instanceof NodeApiError && error.context.ambiguous === true;
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

/** The values that the service rejected, as it names them: `query.region` or just `region`. */
export function refusedPlaces(error: NodeApiError): string[] {
	return (error.context.places ?? []) as string[];
}

/** Whether an error comes from a response of the service with this status. */
export function hasStatus(error: unknown, status: number): error is NodeApiError {
	return error instanceof NodeApiError && error.httpCode === String(status);
}

/** Whether an error is a temporary problem of the service or network: the same request may succeed later. */
export function isTemporary(error: unknown): boolean {
	return error instanceof NodeApiError && error.context.temporary === true;
}

/** The description of an error as plain text, one fact per line, for outputs. */
export function explanationOf(error: NodeError): string {
	const { explanation } = error.context ?? {};
	return typeof explanation === 'string' ? explanation : (error.description ?? '');
}

/**
 * Adds to the description and the facts of an error.
 *
 * @param before a note before the description, shortened when it is very long
 * @param after a note after it, unshortened
 * @param facts replace those of the same names
 */
export function amend(
	error: NodeApiError | NodeOperationError,
	{ before = '', after = '', facts }: { before?: string; after?: string; facts?: ErrorFacts },
): void {
	const text = lines(bounded(before, MAX_MESSAGE), explanationOf(error), after);
	error.description = forPanel(text);
	Object.assign(error.context, { explanation: text, facts: { ...factsOf(error), ...facts } });
}

/**
 * Text as n8n's error panel shows it. The panel renders descriptions as HTML: line breaks and a stack
 * trace's indentation would be lost, and its `<module>` read as a tag.
 */
function forPanel(text: string): string {
	return text
		.replaceAll('&', '&amp;')
		.replaceAll('<', '&lt;')
		.replaceAll('>', '&gt;')
		.replace(/^ +/gm, (indent) => '&nbsp;'.repeat(indent.length))
		.replaceAll('\n', '<br>');
}
