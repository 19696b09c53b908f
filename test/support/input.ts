/** Parameters as n8n hands them over, expressions resolved, and fields to read them by. */
import type { IExecuteFunctions, INode, INodeProperties } from 'n8n-workflow';

import { defineTextField, type ChoiceField } from '../../nodes/Wherobots/form/declarations';
import { Input } from '../../nodes/Wherobots/form/input';
import { Failure } from '../../nodes/Wherobots/transport/failure';

const node = { name: 'Wherobots', type: 'wherobots', parameters: {} } as unknown as INode;

/** Reads from parameters as n8n hands them over, expressions resolved. */
export function inputOf(
	parameters: Record<string, unknown>,
	{ tool = false, timezone = 'Europe/Berlin' } = {},
): Input {
	const context = {
		getNode: () => node,
		getTimezone: () => timezone,
		isToolExecution: () => tool,
		getNodeParameter: (path: string, _item: number, unset: unknown) =>
			Object.hasOwn(parameters, path) ? parameters[path] : unset,
	};
	return new Input(context as unknown as IExecuteFunctions, 0);
}

export function field(
	type: INodeProperties['type'],
	more: Partial<INodeProperties> = {},
): INodeProperties {
	return { displayName: 'The Field', name: 'field', type, default: '', ...more };
}

export const text = field('string');
export const exact = defineTextField({ displayName: 'The Field', name: 'field', exact: true });
export const flag = field('boolean', { default: true });
export const limited = field('number', { default: 5, typeOptions: { minValue: 1, maxValue: 10 } });
export const choice: ChoiceField<'a' | 'b'> = {
	displayName: 'The Field',
	name: 'field',
	type: 'options',
	options: [
		{ name: 'A', value: 'a' },
		{ name: 'B', value: 'b' },
	],
	default: 'a',
};
export const rows = field('fixedCollection', {
	default: {},
	options: [
		{
			displayName: 'Config',
			name: 'config',
			values: [
				{ displayName: 'Key', name: 'key', type: 'string', default: '' },
				{ displayName: 'Value', name: 'value', type: 'string', default: '' },
			],
		},
	],
});

export const read = (value: unknown, reader: (input: Input) => unknown) =>
	reader(inputOf({ field: value }));

/** The complaint about a value; it names the field. */
export function complaint(value: unknown, reader: (input: Input) => unknown): string {
	try {
		return `none: ${JSON.stringify(read(value, reader))}`;
	} catch (error) {
		expect(error).toBeInstanceOf(Failure);
		expect((error as Error).message).toMatch(/^'The Field' \S/);
		return (error as Error).message;
	}
}
