import { NodeApiError } from 'n8n-workflow';

import { amend, refusedPlaces } from '../transport/failures/errors';

/** The label of a request value in the form, and advice for when the service rejects it. */
export interface RequestField {
	displayName: string;
	advice?: string;
}

/** The fields of the form by the paths of their values in the query or body: `runPython.uri`. */
export type RequestFields = Record<string, RequestField>;

/**
 * The field whose value is at a path that the service names. It names paths in several ways:
 * `query.region`, `body.environment.dependencies.0.filePath`, or the last name alone.
 */
export function fieldAt(fields: RequestFields, place: string): RequestField | undefined {
	const path = place.replace(/^(query|body)\./, '');
	const steps = path.split('.');
	for (let length = steps.length; length > 0; length--) {
		const known = steps.slice(0, length).join('.');
		if (Object.hasOwn(fields, known)) return fields[known];
	}
	const named = Object.keys(fields).filter((known) => known.endsWith(`.${path}`));
	return named.length === 1 ? fields[named[0]] : undefined;
}

/** Prefixes an error of the service with the labels of the fields that it rejected. */
export function prefixFieldLabels(error: Error, fields: RequestFields = {}): void {
	if (!(error instanceof NodeApiError)) return;
	const refused = new Set(
		refusedPlaces(error)
			.map((place) => fieldAt(fields, place))
			.filter((field) => field !== undefined),
	);
	if (refused.size === 0) return;
	const labels = [...refused].map(({ displayName }) => displayName);
	error.message = `${labels.map((label) => `'${label}'`).join(', ')}: ${error.message}`;
	for (const { advice } of refused) {
		if (advice) amend(error, { before: advice });
	}
	amend(error, { facts: { fields: labels } });
}
