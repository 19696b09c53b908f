import { resources } from '../../../../nodes/Wherobots/actions';
import { defineTextField } from '../../../../nodes/Wherobots/form/declarations';
import { defineOptions } from '../../../../nodes/Wherobots/form/fields';
import { findField } from '../../../../nodes/Wherobots/actions/execution/router';

const labelled = (displayName: string) => defineTextField({ displayName, name: 'x' });

const fields = {
	region: labelled('Region'),
	environment: labelled('Environment'),
	'runPython.uri': labelled('Python File'),
	'runPython.args': labelled('Arguments'),
	'runJar.args': labelled('Arguments of the JAR'),
};

const form = {
	requestFields: fields,
	fields: [
		defineTextField({ displayName: 'Region in the Form', name: 'region' }),
		defineTextField({ displayName: 'Name', name: 'name' }),
		defineOptions(defineTextField({ displayName: 'Version', name: 'version' })),
	],
};

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
])('the field for a place that the service names at %s is %s', (place, label) => {
	expect(findField(form, place)?.displayName).toBe(label);
});

const labelsOf = (value: unknown): string[] => {
	if (typeof value !== 'object' || value === null) return [];
	const own = 'displayName' in value ? [String(value.displayName)] : [];
	return [...own, ...Object.values(value).flatMap(labelsOf)];
};

it.each(
	resources.flatMap((resource) =>
		resource.operations
			.filter(({ requestFields }) => requestFields)
			.map((operation) => ({
				name: `${resource.name}: ${operation.name}`,
				operation,
			})),
	),
)('$name uses the labels of its form for the fields of its request', ({ operation }) => {
	const labels = labelsOf(operation.fields);
	for (const { displayName } of Object.values(operation.requestFields ?? {})) {
		expect(labels).toContain(displayName);
	}
});
