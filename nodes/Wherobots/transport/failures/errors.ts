import { NodeApiError, type INode, type NodeError, type NodeOperationError } from 'n8n-workflow';

import { toResult } from '../toResult';
import type { ErrorFacts, Failure } from './failure';
import { bounded, lines } from './plainText';

/** Maximum lengths of an error's texts: names and IDs from expressions can be very long. */
const MAX_MESSAGE = 1_000;
const MAX_DESCRIPTION = 8_000;

/**
 * The error that n8n shows for a failure of the service. n8n's scheduler reads `httpCode` and
 * `failure` to decide when to poll again.
 */
export function toNodeApiError(node: INode, failure: Failure): NodeApiError {
	const message = bounded(failure.message, MAX_MESSAGE);
	const { codes = [], requestId, httpCode, ambiguous } = failure;
	const error = new NodeApiError(
		node,
		{ message, codes, requestId: requestId ?? null },
		{ message, httpCode, failure: schedulerHint(failure) },
	);
	// The constructor replaces a message that happens to contain a Node.js error code ("EPERM" is in
	// "hypermedia"), and takes one from the body when the status is missing.
	error.message = message;
	error.messages = [];
	error.httpCode = httpCode ?? null;
	return know(error, {
		...failure,
		description: bounded(failure.description, MAX_DESCRIPTION),
		facts: {
			...failure.facts,
			...(requestId ? { requestId } : {}),
			...(ambiguous ? { ambiguous } : {}),
		},
	});
}

/** Notes on an error what is known, where `failureOf` and error workflows find it. */
function know<T extends NodeError>(error: T, { facts, ...failure }: Failure): T {
	error.description = forPanel(failure.description);
	Object.assign(error.context, { failure, facts });
	return error;
}

/** What is known about an error. */
export function failureOf(error: NodeError): Failure & { facts: ErrorFacts } {
	const { failure, facts = {} } = (error.context ?? {}) as {
		failure?: Failure;
		facts?: ErrorFacts;
	};
	const { message, description, httpCode } = error as NodeApiError;
	return {
		description: description ?? '',
		...failure,
		message,
		httpCode: httpCode ?? undefined,
		facts,
	};
}

/** The facts of an error, for workflows. */
export function factsOf(error: NodeError): ErrorFacts {
	return failureOf(error).facts;
}

/** Whether it is unclear if the request behind this error was handled. */
export function isAmbiguous(error: unknown): error is NodeApiError {
	return error instanceof NodeApiError && failureOf(error).ambiguous === true;
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

/** Whether an error comes from a response of the service with this status. */
export function hasStatus(error: unknown, status: number): error is NodeApiError {
	return error instanceof NodeApiError && error.httpCode === String(status);
}

/** Whether an error is a temporary problem of the service or network: the same request may succeed later. */
export function isTemporary(error: unknown): boolean {
	return error instanceof NodeApiError && failureOf(error).temporary === true;
}

/** The description of an error as plain text, one fact per line, for outputs. */
export function explanationOf(error: NodeError): string {
	return failureOf(error).description;
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
	const failure = failureOf(error);
	know(error, {
		...failure,
		description: lines(bounded(before, MAX_MESSAGE), failure.description, after),
		facts: { ...failure.facts, ...facts },
	});
}

/** What is read, or the error with a note before its description. */
export async function explained<T>(before: string, reading: Promise<T>): Promise<T> {
	const read = await toResult(reading);
	if (read.ok) return read.value;
	if (read.error instanceof NodeApiError) amend(read.error, { before });
	throw read.error;
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
