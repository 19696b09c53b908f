import {
	NodeOperationError,
	type IDataObject,
	type IExecuteFunctions,
	type NodeParameterValueType,
} from 'n8n-workflow';

import { FIRST_YEAR, formatTime, LAST_YEAR, parseTime } from '../service/time/time';
import { isRecord } from '../service/types';
import { isToolUse } from './toolUse';

/** A rule of a value: what is wrong with it as the end of a sentence, or undefined. */
export type Rule<T> = (value: T) => string | undefined;

/**
 * The parameters of the node for one item, read and checked. Every complaint names the field as the
 * form shows it and says which rule it breaks; nothing is sent before all fields of a request passed.
 */
export class Input {
	constructor(
		private readonly context: IExecuteFunctions,
		readonly itemIndex: number,
	) {}

	/** Whether an AI agent asks: then outputs have to stay small. */
	get isToolUse(): boolean {
		return isToolUse(this.context);
	}

	/** The raw value of a parameter, expressions resolved, a resource locator as its value. */
	raw(name: string, fallback?: NodeParameterValueType): unknown {
		return this.context.getNodeParameter(name, this.itemIndex, fallback, {
			extractValue: true,
		}) as unknown;
	}

	/** Trimmed text. An empty one is refused unless it is optional. */
	text(name: string, label: string, ...rules: Array<Rule<string>>): string {
		const value = this.optionalText(name, label, ...rules);
		if (value === undefined) throw this.problem(label, 'must not be empty');
		return value;
	}

	/** Trimmed text, or undefined when it is empty or not set. */
	optionalText(name: string, label: string, ...rules: Array<Rule<string>>): string | undefined {
		const raw = this.raw(name, '');
		if (raw === null || raw === undefined) return undefined;
		if (typeof raw === 'object') throw this.problem(label, `must be text, not ${kindOf(raw)}`);
		const value = String(raw).trim();
		if (value === '') return undefined;
		this.check(label, value, rules);
		return value;
	}

	/** Text to the letter, for names that may begin or end with a space. An empty one is refused. */
	exactText(name: string, label: string, ...rules: Array<Rule<string>>): string {
		this.text(name, label);
		const value = String(this.raw(name));
		this.check(label, value, rules);
		return value;
	}

	/** A whole number; numeric text from an expression counts. */
	integer(name: string, label: string, ...rules: Array<Rule<number>>): number {
		const value = this.optionalInteger(name, label, ...rules);
		if (value === undefined) throw this.problem(label, 'must not be empty');
		return value;
	}

	/** A whole number, or undefined when it is empty or not set. */
	optionalInteger(name: string, label: string, ...rules: Array<Rule<number>>): number | undefined {
		const given = this.raw(name, '');
		const raw = typeof given === 'string' ? given.trim() : given;
		if (raw === null || raw === undefined || raw === '') return undefined;
		const value = typeof raw === 'string' ? Number(raw) : raw;
		if (typeof value !== 'number' || !Number.isSafeInteger(value)) {
			throw this.problem(label, `must be a whole number, not ${show(raw)}`);
		}
		this.check(label, value, rules);
		return value;
	}

	/** A switch; the texts `true` and `false` from an expression count. */
	flag(name: string, fallback = false): boolean {
		const raw = this.raw(name, fallback);
		return raw === true || raw === 'true';
	}

	/** One of the values of an options field. */
	choice<T extends string>(name: string, label: string, values: readonly T[], fallback?: T): T {
		const raw = this.raw(name, fallback);
		const value = values.find((candidate) => candidate === raw);
		if (value === undefined) {
			throw this.problem(label, `must be one of ${values.join(', ')}, not ${show(raw)}`);
		}
		return value;
	}

	/** The chosen values of a multi-options field, or an array or comma-separated text from an expression. */
	list(name: string, label: string): string[] {
		const raw = this.raw(name, []);
		if (raw === null || raw === undefined || raw === '') return [];
		const values: unknown[] = Array.isArray(raw)
			? raw
			: typeof raw === 'string'
				? raw.split(',')
				: [raw];
		const texts = values.map((value) => {
			if (typeof value !== 'string' && typeof value !== 'number') {
				throw this.problem(label, `must be a list of texts, but contains ${show(value)}`);
			}
			return String(value).trim();
		});
		return texts.filter((text) => text !== '');
	}

	/** The rows of a fixed collection's group. */
	rows(name: string, group: string): IDataObject[] {
		const raw = this.raw(name, {});
		const rows = isRecord(raw) ? raw[group] : undefined;
		return Array.isArray(rows) ? rows.filter(isRecord) : [];
	}

	/** The rows of a fixed collection with `key` and `value` as one object of texts. */
	keyValues(name: string, group: string, label: string): IDataObject {
		const pairs: IDataObject = {};
		for (const { key, value } of this.rows(name, group)) {
			const text = String(key ?? '').trim();
			if (text === '') throw this.problem(label, 'has an entry without a key');
			pairs[text] = String(value ?? '');
		}
		return pairs;
	}

	/** A JSON object: text, or an object from an expression. Undefined when it is empty. */
	json(name: string, label: string): IDataObject | undefined {
		const raw = this.raw(name, '');
		if (raw === null || raw === undefined || raw === '') return undefined;
		const value = typeof raw === 'string' ? parse(raw) : raw;
		if (!isRecord(value)) {
			throw this.problem(label, 'must be a JSON object, for example {"key": "value"}');
		}
		return value;
	}

	/**
	 * A point in time as the service takes it: ISO 8601 in UTC. Values without a zone are in the
	 * workflow's time zone, as everywhere in n8n.
	 */
	optionalTime(name: string, label: string): string | undefined {
		const raw = this.raw(name, '');
		if (raw === null || raw === undefined || raw === '') return undefined;
		const time = parseTime(raw, this.context.getTimezone());
		if (time === undefined) {
			throw this.problem(
				label,
				`must be a date from ${FIRST_YEAR} to ${LAST_YEAR}, for example 2026-01-31T09:00:00Z, not ${show(raw)}`,
			);
		}
		return formatTime(time);
	}

	/** The error that names a field and what is wrong with it. */
	problem(label: string, what: string, description?: string): NodeOperationError {
		return new NodeOperationError(this.context.getNode(), `'${label}' ${what}`, {
			itemIndex: this.itemIndex,
			description,
		});
	}

	private check<T>(label: string, value: T, rules: Array<Rule<T>>): void {
		for (const rule of rules) {
			const what = rule(value);
			if (what) throw this.problem(label, what);
		}
	}
}

function parse(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

function kindOf(value: object): string {
	return Array.isArray(value) ? 'a list' : 'an object';
}

/** A value in a message: short, and recognisable. */
export function show(value: unknown): string {
	const text = typeof value === 'string' ? `"${value}"` : (JSON.stringify(value) ?? 'undefined');
	return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
