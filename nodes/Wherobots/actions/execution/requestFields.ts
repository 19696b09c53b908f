import { NodeApiError, type INodeProperties } from 'n8n-workflow';

import { amend, failureOf } from '../../transport/failures/errors';
import type { Operation, RequestField } from '../operations/operation';

type Form = Pick<Operation, 'fields' | 'requestFields'>;

/**
 * The field whose value is at a path that the service names: the one that the operation says, or the
 * one with the same name. The service names paths in several ways: `query.region`,
 * `body.environment.dependencies.0.filePath`, or the last name alone.
 */
export function fieldAt({ fields, requestFields = {} }: Form, place: string) {
	const all = fields.flatMap((field) =>
		field.type === 'collection' ? [field, ...(field.options as INodeProperties[])] : [field],
	);
	const known = new Map<string, RequestField>([
		...all.map((field) => [field.name, field] as const),
		...Object.entries(requestFields),
	]);
	const steps = place.replace(/^(query|body)\./, '').split('.');
	for (let length = steps.length; length > 0; length--) {
		const field = known.get(steps.slice(0, length).join('.')) ?? known.get(steps[length - 1]);
		if (field) return field;
	}
	return undefined;
}

/** Prefixes an error of the service with the labels of the fields that it rejected. */
export function prefixFieldLabels(error: Error, form: Form): void {
	if (!(error instanceof NodeApiError)) return;
	const refused = new Set(
		(failureOf(error).places ?? [])
			.map((place) => fieldAt(form, place))
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
