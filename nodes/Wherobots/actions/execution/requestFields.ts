import type { INodeProperties } from 'n8n-workflow';

import type { Failure } from '../../transport/failure';
import { lines } from '../../transport/text';
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

/** The failure with the labels of the fields whose values the service rejected. */
export function withFieldLabels(failure: Failure, form: Form): Failure {
	const refused = new Set(
		(failure.parts.places ?? [])
			.map((place) => fieldAt(form, place))
			.filter((field) => field !== undefined),
	);
	if (refused.size === 0) return failure;
	const labels = [...refused].map(({ displayName }) => displayName);
	const message = `${labels.map((label) => `'${label}'`).join(', ')}: ${failure.message}`;
	const before = lines(...[...refused].map(({ advice }) => advice).reverse());
	return failure.with({ message }).withContext({ before, facts: { fields: labels } });
}
