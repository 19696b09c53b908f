/** Forms that the editor makes from what is chosen in another field, such as the inputs of a task. */
import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { parseJsonToSend } from '../service/json';
import { type ChoiceField, defineChoiceField } from './declarations';
import type { Input } from './input';
import { isNothing, isPlainObject, isPossiblyRounded, show } from './values';

type Source = 'form' | 'json';

/** The fields for values that are entered one by one, or as JSON. */
interface MappedFields {
	fromField: ChoiceField<Source>;
	mapperField: INodeProperties;
	jsonField: INodeProperties;
	/** `input` */
	noun: string;
}

/**
 * @param name of the values: the fields are `inputsFrom`, `inputs` and `inputsJson`
 * @param noun in the singular: `input`
 * @param method makes the form
 * @param dependsOn the field with the choice
 */
export function defineMappedFields(
	{ name, noun, method, dependsOn }: Record<'name' | 'noun' | 'method' | 'dependsOn', string>,
	descriptions: Record<Source | 'source', string> & { placeholder: string },
): MappedFields {
	const label = name[0].toUpperCase() + name.slice(1);
	return {
		noun,
		fromField: defineChoiceField<Source>({
			displayName: `Specify ${label}`,
			name: `${name}From`,
			options: { form: 'Using Fields Below', json: 'Using JSON' },
			default: 'form',
			description: descriptions.source,
		}),
		mapperField: {
			displayName: label,
			name,
			type: 'resourceMapper',
			noDataExpression: true,
			description: descriptions.form,
			default: { mappingMode: 'defineBelow', value: null },
			typeOptions: {
				loadOptionsDependsOn: [`${dependsOn}.value`],
				resourceMapper: {
					resourceMapperMethod: method,
					mode: 'add',
					fieldWords: { singular: noun, plural: name },
					// The editor would send switches that nobody touched as off.
					addAllFields: false,
					multiKeyMatch: false,
					supportAutoMap: false,
				},
			},
			displayOptions: { show: { [`${name}From`]: ['form'] } },
		},
		jsonField: {
			displayName: `${label} (JSON)`,
			name: `${name}Json`,
			type: 'json',
			default: '{}',
			placeholder: descriptions.placeholder,
			description: descriptions.json,
			displayOptions: { show: { [`${name}From`]: ['json'] } },
		},
	};
}

/** The field in which the values are entered. */
export function chooseMappedField(input: Input, fields: MappedFields): INodeProperties {
	const { fromField, jsonField, mapperField } = fields;
	return input.choice(fromField) === 'json' ? jsonField : mapperField;
}

/** The values by their names, those of the form only where they are not empty. */
export function readMapped(
	{ context, input, itemIndex }: { context: IExecuteFunctions; input: Input; itemIndex: number },
	fields: MappedFields,
): IDataObject {
	const { fromField, jsonField, mapperField, noun } = fields;
	if (chooseMappedField(input, fields) === jsonField) return input.json(jsonField, parseJsonToSend);
	const form = input.raw(mapperField, {});
	// By this path, n8n checks the values and parses lists and objects. It cannot check null, which is there
	// until one is entered.
	const isEmpty = isPlainObject(form) && isNothing(form.value);
	const read = isEmpty
		? {}
		: context.getNodeParameter(`${mapperField.name}.value`, itemIndex, null);
	const values = input.checkDepth(mapperField, read);
	if (!isPlainObject(form) || !isPlainObject(values)) {
		const wrong = isPlainObject(form) ? values : form;
		throw input.problem(mapperField, `must have a value for each ${noun}, not ${show(wrong)}`);
	}
	for (const [name, value] of Object.entries(values)) {
		if (!isPossiblyRounded(value)) continue;
		throw input.problem(
			mapperField,
			`has a number as ${name} that n8n cannot hold exactly: set '${fromField.displayName}' to 'Using JSON'`,
		);
	}
	const given = Object.entries(values).filter(([, value]) => value !== null && value !== '');
	return Object.fromEntries(given);
}
