import {
	NodeOperationError,
	type IDataObject,
	type INodeProperties,
	type INodePropertyOptions,
	type NodeParameterValueType,
} from 'n8n-workflow';

import { atLeast, atMost } from '../service/rules';
import { FIRST_YEAR, LAST_YEAR, parseTime, type Micros } from '../service/time/time';
import { isRecord } from '../service/types';
import type { ParameterSource } from './source';
import { kindOf, parseJson, show } from './values';

/** A rule of a value: what is wrong with it as the end of a sentence, or undefined. */
export type Rule<T> = (value: T) => string | undefined;

/** A field of type `options` whose values are known by their type. */
export interface ChoiceField<T extends string> extends INodeProperties {
	options: Array<INodePropertyOptions & { value: T }>;
	default: T;
}

/**
 * The parameters of a node, read and checked by the fields that the form declares: the name, the
 * label, the default, the limits and the values to choose from are theirs. Every complaint names the
 * field as the form shows it and says which rule it breaks; nothing is sent before all fields of a
 * request passed.
 *
 * A field that is not set at all has its default, or no value where the reader is an `optional…`
 * one: the members of a collection that nobody added are such.
 */
export class Input {
	/** @param path of the collection whose members are read, with a dot at its end */
	constructor(
		private readonly source: ParameterSource,
		private readonly path = '',
	) {}

	/** Whether an AI agent asks: then outputs have to stay small. */
	get isToolUse(): boolean {
		return this.source.isToolUse();
	}

	/** The members of a collection. */
	within(collection: INodeProperties): Input {
		return new Input(this.source, `${this.path}${collection.name}.`);
	}

	/** The raw value of a field. @param unset stands for one that is not set */
	raw(field: INodeProperties, unset: NodeParameterValueType): unknown {
		return this.source.parameter(this.path + field.name, unset);
	}

	/** Trimmed text. An empty one is refused. */
	text(field: INodeProperties, ...rules: Array<Rule<string>>): string {
		return this.required(field, this.readText(field, field.default, rules));
	}

	/** Trimmed text, or undefined when it is empty or not set. */
	optionalText(field: INodeProperties, ...rules: Array<Rule<string>>): string | undefined {
		return this.readText(field, '', rules);
	}

	/** Text to the letter, for names that may begin or end with a space. An empty one is refused. */
	exactText(field: INodeProperties, ...rules: Array<Rule<string>>): string {
		this.text(field);
		const value = String(this.raw(field, ''));
		this.check(field, value, rules);
		return value;
	}

	/** A whole number within the field's limits; numeric text from an expression counts. */
	integer(field: INodeProperties, ...rules: Array<Rule<number>>): number {
		return this.required(field, this.readInteger(field, field.default, rules));
	}

	/** The same, or undefined when it is empty or not set. */
	optionalInteger(field: INodeProperties, ...rules: Array<Rule<number>>): number | undefined {
		return this.readInteger(field, '', rules);
	}

	/** A switch; the texts `true` and `false` from an expression count. */
	flag(field: INodeProperties): boolean {
		const raw = this.raw(field, field.default);
		return raw === true || raw === 'true';
	}

	/** The same, or undefined when it is not set. */
	optionalFlag(field: INodeProperties): boolean | undefined {
		return this.raw(field, '') === '' ? undefined : this.flag(field);
	}

	/** One of the field's values. */
	choice<T extends string>(field: ChoiceField<T>): T {
		const raw = this.raw(field, field.default);
		const values = field.options.map(({ value }) => value);
		const value = values.find((candidate) => candidate === raw);
		if (value === undefined) {
			throw this.problem(field, `must be one of ${values.join(', ')}, not ${show(raw)}`);
		}
		return value;
	}

	/** The chosen values of a multi-options field, or an array or comma-separated text from an expression. */
	list(field: INodeProperties): string[] {
		const raw = this.raw(field, []);
		if (raw === null || raw === undefined || raw === '') return [];
		const values: unknown[] = Array.isArray(raw)
			? raw
			: typeof raw === 'string'
				? raw.split(',')
				: [raw];
		const texts = values.map((value) => {
			if (typeof value !== 'string' && typeof value !== 'number') {
				throw this.problem(field, `must be a list of texts, but contains ${show(value)}`);
			}
			return String(value).trim();
		});
		return texts.filter((text) => text !== '');
	}

	/** The rows of a fixed collection's group. */
	rows(field: INodeProperties): IDataObject[] {
		const raw = this.raw(field, {});
		const rows = isRecord(raw) ? raw[groupOf(field)] : undefined;
		return Array.isArray(rows) ? rows.filter(isRecord) : [];
	}

	/** The rows of a fixed collection with `key` and `value` as one object of texts. */
	keyValues(field: INodeProperties): IDataObject {
		const pairs: IDataObject = {};
		for (const { key, value } of this.rows(field)) {
			const text = String(key ?? '').trim();
			if (text === '') throw this.problem(field, 'has an entry without a key');
			pairs[text] = String(value ?? '');
		}
		return pairs;
	}

	/** A JSON object: text, or an object from an expression. Undefined when it is empty. */
	json(field: INodeProperties): IDataObject | undefined {
		const raw = this.raw(field, '');
		if (raw === null || raw === undefined || raw === '') return undefined;
		const value = typeof raw === 'string' ? parseJson(raw) : raw;
		if (!isRecord(value)) {
			throw this.problem(field, 'must be a JSON object, for example {"key": "value"}');
		}
		return value;
	}

	/**
	 * A point in time. Values without a zone are in the workflow's time zone, as everywhere in n8n. An
	 * empty one is refused.
	 */
	time(field: INodeProperties): Micros {
		return this.required(field, this.optionalTime(field));
	}

	/** The same, or undefined when it is empty or not set. */
	optionalTime(field: INodeProperties): Micros | undefined {
		const raw = this.raw(field, '');
		if (raw === null || raw === undefined || raw === '') return undefined;
		const time = parseTime(raw, this.source.getTimezone());
		if (time === undefined) {
			throw this.problem(
				field,
				`must be a date from ${FIRST_YEAR} to ${LAST_YEAR}, for example 2026-01-31T09:00:00Z, not ${show(raw)}`,
			);
		}
		return time;
	}

	/** The error that names a field and what is wrong with it. */
	problem(field: INodeProperties, what: string, description?: string): NodeOperationError {
		return new NodeOperationError(this.source.getNode(), `'${field.displayName}' ${what}`, {
			itemIndex: this.source.itemIndex,
			description,
		});
	}

	private readText(
		field: INodeProperties,
		unset: NodeParameterValueType,
		rules: Array<Rule<string>>,
	): string | undefined {
		const raw = this.raw(field, unset);
		if (raw === null || raw === undefined) return undefined;
		if (typeof raw === 'object') throw this.problem(field, `must be text, not ${kindOf(raw)}`);
		const value = String(raw).trim();
		if (value === '') return undefined;
		this.check(field, value, rules);
		return value;
	}

	private readInteger(
		field: INodeProperties,
		unset: NodeParameterValueType,
		rules: Array<Rule<number>>,
	): number | undefined {
		const given = this.raw(field, unset);
		const raw = typeof given === 'string' ? given.trim() : given;
		if (raw === null || raw === undefined || raw === '') return undefined;
		const value = typeof raw === 'string' ? Number(raw) : raw;
		if (typeof value !== 'number' || !Number.isSafeInteger(value)) {
			throw this.problem(field, `must be a whole number, not ${show(raw)}`);
		}
		this.check(field, value, [...rules, ...limitsOf(field)]);
		return value;
	}

	private required<T>(field: INodeProperties, value: T | undefined): T {
		if (value === undefined) throw this.problem(field, 'must not be empty');
		return value;
	}

	private check<T>(field: INodeProperties, value: T, rules: Array<Rule<T>>): void {
		for (const rule of rules) {
			const what = rule(value);
			if (what) throw this.problem(field, what);
		}
	}
}

/** The limits that the form states for a number. */
function limitsOf({ typeOptions }: INodeProperties): Array<Rule<number>> {
	return [
		...(typeOptions?.minValue === undefined ? [] : [atLeast(typeOptions.minValue)]),
		...(typeOptions?.maxValue === undefined ? [] : [atMost(typeOptions.maxValue)]),
	];
}

/** The group of a fixed collection that has one. */
function groupOf({ options = [] }: INodeProperties): string {
	return options[0].name;
}
