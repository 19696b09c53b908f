/** What the declaration of a field says about its values. */
import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';

import { atLeast, atMost } from '../service/rules';

/** A rule of a value: what is wrong with it as the end of a sentence, or undefined. */
export type Rule<T> = (value: T) => string | undefined;

/** A field of type `options` whose values are known by their type. */
export interface ChoiceField<T extends string> extends INodeProperties {
	options: Array<INodePropertyOptions & { value: T }>;
	default: T;
}

/** The limits that the form states for a number. */
export function limitsOf({ typeOptions }: INodeProperties): Array<Rule<number>> {
	return [
		...(typeOptions?.minValue === undefined ? [] : [atLeast(typeOptions.minValue)]),
		...(typeOptions?.maxValue === undefined ? [] : [atMost(typeOptions.maxValue)]),
	];
}

/** The group of rows of a fixed collection that has one. */
export function groupOf({ options = [] }: INodeProperties): INodePropertyCollection {
	return options[0] as INodePropertyCollection;
}
