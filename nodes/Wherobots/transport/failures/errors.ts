import { NodeApiError, type INode, type NodeError, type NodeOperationError } from 'n8n-workflow';

import type { ErrorFacts } from './facts';
import type { Failure } from './failure';
import { bounded, lines } from './plainText';

/** Longest texts of an error: names and IDs in it can be as long as an expression makes them. */
const MAX_MESSAGE = 1_000;
const MAX_DESCRIPTION = 8_000;

/**
 * The error that n8n shows for a failure of the service. `httpCode` and `failure` are what n8n's
 * scheduler reads to decide when to poll again.
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
	// "hypermedia"), and takes a missing status for one it finds in the body.
	error.message = failure.message;
	error.description = forPanel(failure.description);
	error.messages = [];
	error.httpCode = failure.httpCode ?? null;
	Object.assign(error.context, {
		explanation: failure.description,
		codes: failure.codes ?? [],
		ambiguous: failure.ambiguous ?? false,
		passing: failure.passing ?? false,
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

/** The failure that an error stands for, to make further errors of: one for each item that it hits. */
export function failureOf(error: NodeApiError): Failure {
	const { codes, ambiguous, passing, places, addressAtFault } = error.context;
	return {
		message: error.message,
		description: explanationOf(error),
		httpCode: error.httpCode ?? undefined,
		codes: codes as string[],
		ambiguous: ambiguous === true,
		passing: passing === true,
		places: places as string[],
		addressAtFault: addressAtFault === true,
		facts: factsOf(error),
	};
}

/** What is known of a failure beyond its words. */
export function factsOf(error: NodeError): ErrorFacts {
	return (error.context?.facts ?? {}) as ErrorFacts;
}

/** Whether it is uncertain if the request behind this error was carried out. */
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

/** What a refusal is about, as the service names it: `query.region`, or `region` alone. */
export function refusedPlaces(error: NodeApiError): string[] {
	return (error.context.places ?? []) as string[];
}

/** Whether an error stands for a response of the service with this status. */
export function hasStatus(error: unknown, status: number): error is NodeApiError {
	return error instanceof NodeApiError && error.httpCode === String(status);
}

/** Whether an error is the service's or the network's passing trouble: the same request may succeed later. */
export function mayPass(error: unknown): boolean {
	return error instanceof NodeApiError && error.context.passing === true;
}

/** The description of an error as plain text, one fact a line, for outputs. */
export function explanationOf(error: NodeError): string {
	const { explanation } = error.context ?? {};
	return typeof explanation === 'string' ? explanation : (error.description ?? '');
}

/**
 * Adds to what an error says and what is known of it.
 *
 * @param before a note in front of its description, cut when it is very long
 * @param after a note behind it, as long as it is
 * @param facts take the place of those of the same names
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
 * Text as n8n's error panel shows it. The panel renders descriptions as HTML: line breaks and the
 * indentation of a stack trace would be lost, and `<module>` in it taken for a tag.
 */
function forPanel(text: string): string {
	return text
		.replaceAll('&', '&amp;')
		.replaceAll('<', '&lt;')
		.replaceAll('>', '&gt;')
		.replace(/^ +/gm, (indent) => '&nbsp;'.repeat(indent.length))
		.replaceAll('\n', '<br>');
}
