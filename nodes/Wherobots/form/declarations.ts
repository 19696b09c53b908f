/** The kinds of fields that forms are made of, with what all fields of a kind have in common. */
import type {
	IDisplayOptions,
	INodeProperties,
	INodePropertyCollection,
	INodePropertyOptions,
} from 'n8n-workflow';

import { requireBetween } from '../service/rules';

/** A rule for a value: the problem as the end of a sentence, or undefined. */
export type Rule<T> = (value: T) => string | undefined;

/** What n8n does not know of a field: how `Input` reads its value. */
interface Reading<T> {
	/** Checked before anything is sent; for a list, each entry is. */
	rule?: Rule<T>;
	/** Whether spaces around a text belong to it, as they may in names. */
	exact?: boolean;
	/** Whether a text may contain what looks like an expression, as files and statements may. */
	isCode?: boolean;
}

/** A symbol, so that n8n neither sees it nor sends it to the editor; copies of a field keep it. */
const READING = Symbol('reading');

/** Adds to a field how its value is read. */
function attachReading<F extends INodeProperties, T>({
	rule,
	exact,
	isCode,
	...field
}: F & Reading<T>): INodeProperties {
	const reading = { rule, exact, isCode };
	return { ...field, [READING]: reading } as INodeProperties;
}

/** How the value of a field is read. */
export function getReading<T>(field: INodeProperties): Reading<T> {
	return (field as { [READING]?: Reading<T> })[READING] ?? {};
}

/** What a field adds to its kind; it may also replace the kind's default. */
type Field = Omit<INodeProperties, 'type' | 'default'> & Partial<Pick<INodeProperties, 'default'>>;

/** Text, empty by default. */
export const defineTextField = (field: Field & Reading<string>): INodeProperties =>
	attachReading({ type: 'string', default: '', ...field });

/**
 * A record that is picked from a searchable list, or given by its identifier; none by default.
 *
 * @param searchListMethod the picker's method
 */
export function definePicker(
	searchListMethod: string,
	by: 'ID' | 'Name' | 'Path',
	{ placeholder, hint, ...field }: PickedField,
): INodeProperties {
	const listed = { typeOptions: { searchListMethod, searchable: true } };
	const typed = { placeholder, hint };
	return attachReading({
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		...field,
		modes: [
			{ displayName: 'From List', name: 'list', type: 'list', ...listed },
			{ displayName: `By ${by}`, name: by.toLowerCase(), type: 'string', ...typed },
		],
	});
}

/** Its placeholder and hint are those of the identifier. */
type PickedField = Field & Reading<string>;

/** A switch, off by default. */
export const defineSwitchField = (field: Field): INodeProperties => ({
	type: 'boolean',
	default: false,
	...field,
});

/** A whole number, from 1 unless it says otherwise. */
export const defineCountField = (
	field: Field & { default: number } & Reading<number>,
): INodeProperties => attachReading({ type: 'number', typeOptions: { minValue: 1 }, ...field });

/** A point in time, empty by default. */
export const defineTimeField = (field: Field): INodeProperties => ({
	type: 'dateTime',
	default: '',
	...field,
});

/** A field of type `options` with typed values. */
export interface ChoiceField<T extends string> extends INodeProperties {
	options: Array<INodePropertyOptions & { value: T }>;
	default: T;
}

/** Options by their values: the name of each, or its name, its description and when it is offered. */
type Choices<T extends string> = Record<
	T,
	string | readonly [name: string, description: string, displayOptions?: IDisplayOptions]
>;

/** One of several values. */
export function defineChoiceField<T extends string>({
	options,
	...field
}: Omit<ChoiceField<T>, 'type' | 'options' | 'default'> & {
	options: Choices<T>;
	default: NoInfer<T>;
}): ChoiceField<T> {
	const listed = Object.entries<Choices<T>[T]>(options).map(([value, words]) => {
		const [name, description, displayOptions] = typeof words === 'string' ? [words] : words;
		return { name, value: value as T, description, displayOptions };
	});
	return { type: 'options', ...field, options: listed };
}

/** Rows with the same columns, none by default. */
export const defineRowsField = ({
	row,
	...field
}: Field & { row: INodePropertyCollection }): INodeProperties => ({
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	default: {},
	...field,
	options: [row],
});

/** Optional fields in n8n's order, read with `input.within`. Its name is the label in camel case. */
export const defineCollection = (
	displayName: string,
	options: INodeProperties[],
	more: Partial<INodeProperties> = {},
): INodeProperties => ({
	displayName,
	name: `${displayName[0].toLowerCase()}${displayName.slice(1).replaceAll(' ', '')}`,
	type: 'collection',
	placeholder: 'Add option',
	default: {},
	options: [...options].sort((one, other) => one.displayName.localeCompare(other.displayName)),
	...more,
});

/** The rules for a number: its own, and the limits that the form sets. */
export function toNumberRules(field: INodeProperties): Array<Rule<number>> {
	const { minValue = -Infinity, maxValue = Infinity } = field.typeOptions ?? {};
	const { rule = () => undefined } = getReading<number>(field);
	return [rule, requireBetween(minValue, maxValue)];
}

/** The single group of rows of a fixed collection. */
export function getGroup({ options = [] }: INodeProperties): INodePropertyCollection {
	return options[0] as INodePropertyCollection;
}
