/** What a form shows at a moment, as n8n's editor decides it. */
import {
	NodeHelpers,
	type INode,
	type INodeParameters,
	type INodeProperties,
	type INodePropertyOptions,
} from 'n8n-workflow';

import { properties } from '../../../nodes/Wherobots/actions';
import { properties as triggerProperties } from '../../../nodes/Wherobots/trigger/poll';

const node = { typeVersion: 1 } as INode;

function listShown(form: INodeProperties[], values: INodeParameters): INodeProperties[] {
	const all = NodeHelpers.getNodeParameters(form, values, true, false, node, null) ?? values;
	return form.filter((field) => NodeHelpers.displayParameter(all, field, node, null));
}

const find = (form: INodeProperties[], values: INodeParameters, label: string) =>
	listShown(form, values).filter(({ displayName }) => displayName === label);

it.each([
	['within', true],
	['nearest', undefined],
])('the distance of the filter "%s" is required: %s', (spatialFilter, required) => {
	const values = { resource: 'table', operation: 'getRows', spatialFilter };
	const fields = find(properties, values, 'Distance (Meters)');
	expect(fields.map((field) => field.required)).toEqual([required]);
});

it.each([
	['python', ['storage', 'input', 'notebook']],
	['jar', ['storage', 'input']],
])('a program of the type %s comes from %j', (runType, expected) => {
	const values = { resource: 'jobRun', operation: 'create', runType };
	const [{ options = [] }] = find(properties, values, 'Program From');
	const offered = (options as INodePropertyOptions[]).filter((option) =>
		NodeHelpers.displayParameter(values, option as unknown as INodeProperties, node, null),
	);
	expect(offered.map(({ value }) => value)).toEqual(expected);
});

it.each([
	['python', 1],
	['jar', 0],
])('a notebook is no program of the type %s', (runType, count) => {
	const values = { resource: 'jobRun', operation: 'create', runType, programFrom: 'notebook' };
	expect(find(properties, values, 'Notebook Parameters')).toHaveLength(count);
	expect(find(properties, values, 'Skip Map Cells')).toHaveLength(count);
});

it.each([
	['', 1],
	['SELECT 1', 0],
])('a query to try is shown beside the query "%s": %d', (query, count) => {
	const shown = listShown(properties, { resource: 'sql', operation: 'executeQuery', query });
	expect(shown.filter(({ name }) => name === 'exampleNotice')).toHaveLength(count);
});

it('a time range is entered from its start to its end', () => {
	const labels = properties.flatMap(({ options = [] }) =>
		(options as INodeProperties[]).map(({ displayName }) => displayName),
	);
	const ranges = labels.filter((label) => /^(From|To|(Start|End) Time)$/.test(label ?? ''));
	expect(ranges).toEqual(['From', 'To', 'From', 'To']);
});

it('files are loaded in a mode that is chosen before the table, which may be new', () => {
	const shown = listShown(properties, { resource: 'table', operation: 'loadFile' });
	const names = shown.map(({ name }) => name);
	expect(names.indexOf('loadMode')).toBeLessThan(names.indexOf('table'));
	const modes = JSON.stringify(shown[names.indexOf('loadMode')].options);
	expect(modes).toContain("switch 'Table' to By Name");
});

it('a cost limit is not required, because runs may be compared with others instead', () => {
	const fields = find(triggerProperties, { event: 'runExceededCost' }, 'Cost Limit (USD)');
	expect(fields).toEqual([expect.objectContaining({ default: '0' })]);
	expect(fields[0].required).toBeFalsy();
});

it.each([
	['jobRun', 'create', 'pythonUri'],
	['sql', 'executeQuery', 'query'],
	['table', 'getRows', 'table'],
])(
	'%s %s needs no runtime and region, which n8n may have emptied',
	(resource, operation, needed) => {
		const emptied = { __rl: true, mode: 'list', value: '' };
		const values = { resource, operation, runtime: emptied, region: emptied };
		const parameters = NodeHelpers.getNodeParameters(properties, values, true, false, node, null);
		const complete = { ...node, parameters: parameters ?? values };
		const issues = NodeHelpers.getNodeParametersIssues(properties, complete, null);
		const missing = Object.keys(issues?.parameters ?? {});
		expect(missing).toContain(needed);
		expect(missing.filter((name) => ['runtime', 'region'].includes(name))).toEqual([]);
	},
);

it('a filter that was added filters nothing yet', () => {
	const filters = [...properties, ...triggerProperties]
		.filter(({ name }) => name === 'filters')
		.flatMap(({ options = [] }) => options as INodeProperties[])
		.filter(({ type }) => type === 'options');
	expect(filters.length).toBeGreaterThan(2);
	for (const { options = [] } of filters) {
		expect(options[0]).toMatchObject({ name: 'Any', value: '' });
	}
	expect(filters.filter(({ default: value }) => value !== '')).toEqual([]);
});

it('numbers are shown without the digits that they do not have', () => {
	const padded = [...properties, ...triggerProperties].filter(
		({ typeOptions }) => typeOptions?.numberPrecision,
	);
	expect(padded.map(({ displayName }) => displayName)).toEqual([]);
});

it('a number that may be 0 says what that means', () => {
	const withInner = (field: INodeProperties): INodeProperties[] =>
		field.type === 'collection' ? (field.options as INodeProperties[]).flatMap(withInner) : [field];
	const fields = [...properties, ...triggerProperties].flatMap(withInner);
	const numbers = fields.filter(({ typeOptions }) => typeOptions?.minValue === 0);
	expect(numbers.length).toBeGreaterThan(5);
	const silent = numbers.filter(({ description = '' }) => !/\b0\b/.test(description));
	expect(silent.map(({ displayName }) => displayName)).toEqual([]);
});
