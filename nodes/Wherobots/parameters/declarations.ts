/**
 */
import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';

import { atLeast, atMost } from '../service/rules';

/** A rule for a value: the problem as the end of a sentence, or undefined. */
export type Rule<T> = (value: T) => string | undefined;

/** A field of type `options` with typed values. */
export interface ChoiceField<T extends string> extends INodeProperties {
	options: Array<INodePropertyOptions & { value: T }>;
	default: T;
}

/** The limits that the form sets for a number. */
export function limitsOf({ typeOptions }: INodeProperties): Array<Rule<number>> {
	return [
		...(typeOptions?.minValue === undefined ? [] : [atLeast(typeOptions.minValue)]),
		...(typeOptions?.maxValue === undefined ? [] : [atMost(typeOptions.maxValue)]),
	];
}

/** The single group of rows of a fixed collection. */
export function groupOf({ options = [] }: INodeProperties): INodePropertyCollection {
	return options[0] as INodePropertyCollection;
}
