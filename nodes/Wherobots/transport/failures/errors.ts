import { NodeApiError, type INode, type NodeError, type NodeOperationError } from 'n8n-workflow';

import type { ErrorFacts } from './facts';
import type { Failure } from './failure';
import { bounded } from './plainText';

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
	});
	addFacts(error, {
		...failure.facts,
		...(failure.requestId ? { requestId: failure.requestId } : {}),
		...(failure.ambiguous ? { ambiguous: true } : {}),
	});
	return error;
}

/** The failure that an error stands for, to make further errors of: one for each item that it hits. */
export function failureBehind(error: NodeApiError): Failure {
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

/** Adds to what is known of a failure. Facts that are there already stay. */
export function addFacts(error: NodeApiError | NodeOperationError, facts: ErrorFacts): void {
	error.context.facts = { ...facts, ...factsOf(error) };
}

/** Sets what is known of a failure, in the place of what was known before; undefined removes it. */
export function putFacts(error: NodeApiError | NodeOperationError, facts: ErrorFacts): void {
	const all = Object.entries({ ...factsOf(error), ...facts });
	error.context.facts = Object.fromEntries(all.filter(([, value]) => value !== undefined));
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

/** Puts a note before all else that the description of an error says, cut when it is very long. */
export function prependNote(error: NodeApiError, note: string): void {
	describeAs(error, [bounded(note, MAX_MESSAGE), explanationOf(error)]);
}

/** Puts a note behind all else that the description of an error says. */
export function addNote(error: NodeApiError | NodeOperationError, note: string): void {
	describeAs(error, [explanationOf(error), note]);
}

/** Removes the lines of an error's description that begin with one of these texts. */
export function dropNotes(error: NodeApiError | NodeOperationError, beginnings: string[]): void {
	const text = explanationOf(error);
	const kept = text
		.split('\n')
		.filter((line) => !beginnings.some((beginning) => line.startsWith(beginning)));
	if (kept.join('\n') !== text) describeAs(error, kept);
}

function describeAs(error: NodeApiError | NodeOperationError, parts: string[]): void {
	const text = parts.filter(Boolean).join('\n');
	error.description = forPanel(text);
	error.context.explanation = text;
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
