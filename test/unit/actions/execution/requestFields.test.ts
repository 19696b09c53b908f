import { NodeApiError, type INode, type INodeProperties } from 'n8n-workflow';

import { resources } from '../../../../nodes/Wherobots/actions';
import { textField } from '../../../../nodes/Wherobots/parameters/declarations';
import { optionsOf } from '../../../../nodes/Wherobots/parameters/fields';
import {
	fieldAt,
	prefixFieldLabels,
} from '../../../../nodes/Wherobots/actions/execution/requestFields';
import {
	explanationOf,
	factsOf,
	toNodeApiError,
} from '../../../../nodes/Wherobots/transport/failures/errors';

const node = { name: 'Wherobots', type: 'wherobots', parameters: {} } as unknown as INode;

const fields = {
	region: { displayName: 'Region', advice: 'Choose one.' },
	environment: { displayName: 'Environment' },
	'runPython.uri': { displayName: 'Python File' },
	'runPython.args': { displayName: 'Arguments' },
	'runJar.args': { displayName: 'Arguments of the JAR' },
};

const form = {
	requestFields: fields,
	fields: [
		textField({ displayName: 'Region in the Form', name: 'region' }),
		textField({ displayName: 'Name', name: 'name' }),
		optionsOf(textField({ displayName: 'Version', name: 'version' })),
	],
};

describe('the field for a place that the service names', () => {
	it.each([
		['region', 'Region'],
		['query.region', 'Region'],
		['body.name', 'Name'],
		['body.runPython.uri', 'Python File'],
		['runPython.args.3', 'Arguments'],
		['version', 'Version'],
		['body.environment.version', 'Version'],
		['options', 'Options'],
		['uri', undefined],
		['body.environment.dependencies.0.filePath', 'Environment'],
		['args', undefined],
		['body', undefined],
		['body.runPython', undefined],
		['runPython.body.uri', undefined],
		['constructor', undefined],
		['', undefined],
	])('at %s is %s', (place, label) => {
		expect(fieldAt(form, place)?.displayName).toBe(label);
	});
});

describe('a refusal', () => {
	const refusal = (places: string[]) =>
		toNodeApiError(node, {
			message: 'Validation error',
			description: 'Field required',
			httpCode: '422',
			places,
		});

	it("begins with the field's label, and says what helps", () => {
		const error = refusal(['query.region', 'region']);
		prefixFieldLabels(error, form);
		expect(error).toBeInstanceOf(NodeApiError);
		expect(error.message).toBe("'Region': Validation error");
		expect(explanationOf(error)).toBe('Choose one.\nField required');
		expect(factsOf(error)).toEqual({ fields: ['Region'] });
	});

	it('names every field', () => {
		const error = refusal(['body.name', 'body.runPython.uri', 'body.name']);
		prefixFieldLabels(error, form);
		expect(error.message).toBe("'Name', 'Python File': Validation error");
	});

	it('stays as it is when it names no field of the form', () => {
		for (const [error, known] of [
			[refusal(['body.other']), form],
			[refusal([]), form],
			[refusal(['body.name']), { fields: [] as INodeProperties[] }],
			[new Error('Validation error'), form],
		] as const) {
			prefixFieldLabels(error, known);
			expect(error.message).toBe('Validation error');
		}
	});
});

const labelsOf = (value: unknown): string[] => {
	if (typeof value !== 'object' || value === null) return [];
	const own = 'displayName' in value ? [String(value.displayName)] : [];
	return [...own, ...Object.values(value).flatMap(labelsOf)];
};

it.each(
	resources.flatMap(({ option, operations }) =>
		operations
			.filter(({ requestFields }) => requestFields)
			.map((operation) => ({
				name: `${option.name}: ${operation.option.name}`,
				operation,
			})),
	),
)('$name uses the labels of its form for the fields of its request', ({ operation }) => {
	const labels = labelsOf(operation.fields);
	for (const { displayName } of Object.values(operation.requestFields ?? {})) {
		expect(labels).toContain(displayName);
	}
});
