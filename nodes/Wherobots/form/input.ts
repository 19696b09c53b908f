import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
	INodePropertyOptions,
	IPollFunctions,
	NodeParameterValueType,
} from 'n8n-workflow';

import { parseLeadingJson, parseJson } from '../service/json';
import { findBrokenCharacter } from '../service/rules';
import { FIRST_YEAR, isTimeZone, LAST_YEAR, type Micros, parseTime } from '../service/time';
import { Failure } from '../transport/failure';
import { type ChoiceField, getGroup, toNumberRules, getReading, type Rule } from './declarations';
import {
	MAX_LEVELS,
	toFlag,
	toText,
	findUnresolved,
	isDeeper,
	adviseOnTime,
	isEmptied,
	isUnixSeconds,
	isNothing,
	isPlainObject,
	describeKind,
	show,
} from './values';

/** Maximum number of items for a model, which reads all of them. */
export const MAX_TOOL_ITEMS = 100;

/** Older versions of n8n do not have `isToolExecution`. */
type ToolContext = Pick<IExecuteFunctions, 'getNode'> &
	Partial<Pick<IExecuteFunctions, 'isToolExecution'>>;

/** Whether an AI agent uses the node as its tool. n8n runs tools in one of two ways. */
export function isToolUse(context: ToolContext): boolean {
	return context.isToolExecution?.() === true || context.getNode().type.endsWith('wherobotsTool');
}

/** An output limited for a model, with a note about omissions. */
export function limitForTool(items: INodeExecutionData[]): INodeExecutionData[] {
	if (items.length <= MAX_TOOL_ITEMS) return items;
	const note = `Only the first ${MAX_TOOL_ITEMS} results are shown; there are more. Use filters or a smaller range.`;
	return [
		...items.slice(0, MAX_TOOL_ITEMS),
		{ json: { note }, pairedItem: items[MAX_TOOL_ITEMS].pairedItem },
	];
}

/**
 * The parameters of a node, read and checked against the declared fields: their name, label, default,
 * limits and options. Every error names the field as the form shows it and the rule it breaks; nothing
 * is sent until all fields of a request have passed.
 *
 * An unset field has its default, or no value where the reader is an `optional…` one, as for members
 * of a collection that were not added. A field that is null or undefined, as an expression returns for
 * missing data, is rejected by name: nobody chose the default. Only in optional fields does it count
 * as empty.
 */
export class Input {
	/**
	 * @param itemIndex the item of the action node whose parameters these are; a trigger has no items
	 * @param path of the collection whose members are read, with a trailing dot
	 */
	constructor(
		private readonly context: IExecuteFunctions | IPollFunctions,
		private readonly itemIndex?: number,
		private readonly path = '',
	) {}

	/** Whether an AI agent uses the node, and outputs have to stay small. */
	get isToolUse(): boolean {
		return isToolUse(this.context);
	}

	/** The members of a collection. */
	within(collection: INodeProperties): Input {
		return new Input(this.context, this.itemIndex, `${this.path}${collection.name}.`);
	}

	/**
	 * The value of a field, with expressions resolved and that of a resource locator extracted. A list
	 * that n8n has emptied, as it does when another credential is chosen, has the field's default.
	 *
	 * @param unset the value of an unset field
	 * @throws Failure when an expression was entered as text, which n8n does not resolve
	 */
	raw(field: INodeProperties, unset: NodeParameterValueType): unknown {
		const getParameter = this.context.getNodeParameter as (...args: unknown[]) => unknown;
		const position = this.itemIndex === undefined ? [unset] : [this.itemIndex, unset];
		const read = (options: object): unknown =>
			getParameter.call(this.context, this.path + field.name, ...position, options);
		const value = this.checkDepth(field, read({ extractValue: true }));
		if (getReading(field).isCode) return value;
		const entered = read({ rawExpressions: true });
		this.checkResolved(field, entered);
		return isEmptied(entered) ? (field.default as typeof entered).value : value;
	}

	/** Whether an option was added to its collection. */
	isSet(option: INodeProperties): boolean {
		return this.raw(option, Infinity) !== Infinity;
	}

	/** @param entered the value of a field without expressions resolved */
	checkResolved(field: INodeProperties, entered: unknown): void {
		const place = findUnresolved(entered);
		if (place === undefined) return;
		const as =
			this.itemIndex === undefined
				? undefined
				: 'To send this text unchanged, put it in a field of the item and refer to that field in an expression.';
		const what = JSON.stringify(entered).includes('{{')
			? `contains {{${place}: switch the field from Fixed to Expression`
			: `has an expression without braces${place}: switch the field to Expression, and write it as {{ $json.id }}`;
		throw this.problem(field, what, as);
	}

	/** The value as it is. @throws Failure when it is nested too deeply for what reads it */
	checkDepth(field: INodeProperties, value: unknown): unknown {
		if (!isDeeper(value)) return value;
		throw this.problem(field, `must not be nested more than ${MAX_LEVELS} levels deep`);
	}

	/** Text, trimmed unless the field is exact. @throws Failure when it is empty */
	text(field: INodeProperties): string {
		return this.required(field, this.readText(field, field.default));
	}

	/** Text as `text` reads it, or undefined when it is empty or not set. */
	optionalText(field: INodeProperties): string | undefined {
		return this.readText(field, '');
	}

	/** A whole number within the field's limits; numeric text from an expression is accepted. */
	integer(field: INodeProperties): number {
		return this.required(field, this.readInteger(field, field.default));
	}

	/** A whole number as `integer` reads it, or undefined when it is empty or not set. */
	optionalInteger(field: INodeProperties): number | undefined {
		return this.readInteger(field, '');
	}

	/** A switch; 1, 0 and words such as `true` and `No` from an expression are accepted. */
	flag(field: INodeProperties): boolean {
		const raw = this.raw(field, field.default);
		const value = toFlag(raw);
		if (value === undefined) throw this.problem(field, `must be on or off, not ${show(raw)}`);
		return value;
	}

	/** A switch as `flag` reads it, or undefined when it is not set. */
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

	/**
	 * The chosen values of a multi-options field, or a list or comma-separated text from an expression,
	 * which may write them as the form does, or in another case; trimmed, empty ones dropped. Agents also
	 * write a list as JSON.
	 */
	list(field: INodeProperties): string[] {
		const raw = this.raw(field, field.default);
		if (isNothing(raw)) return [];
		const listed = typeof raw === 'string' ? parseLeadingJson(raw) : raw;
		const isText = typeof raw === 'string' && !Array.isArray(listed);
		const texts = this.entries(field, isText ? raw.split(',') : listed);
		const entries = texts.map((text) => text.trim()).filter((text) => text !== '');
		const { rule = () => undefined } = getReading<string>(field);
		for (const entry of entries) {
			const what = rule(entry);
			if (what) throw this.problem(field, `has the entry ${show(entry)}, which ${what}`);
		}
		const options = (field.options ?? []) as INodePropertyOptions[];
		return entries.map((entry) => {
			const isIt = (word: unknown) => String(word).toLowerCase() === entry.toLowerCase();
			const option = options.find(({ name, value }) => isIt(value) || isIt(name));
			return option ? String(option.value) : entry;
		});
	}

	/** The texts of a field with multiple values, untrimmed and including empty ones. */
	texts(field: INodeProperties): string[] {
		const raw = this.raw(field, []);
		return raw === '' ? [] : this.entries(field, raw);
	}

	/** The rows of a fixed collection, as text. @param prepare changes a row before it is read */
	rows(
		field: INodeProperties,
		prepare = (row: IDataObject): IDataObject => row,
	): Array<Record<string, string>> {
		const { name, values } = getGroup(field);
		const raw = this.raw(field, {});
		const rows =
			isPlainObject(raw) && Object.keys(raw).every((key) => key === name) ? raw[name] : raw;
		if (rows === undefined && raw !== undefined) return [];
		if (!Array.isArray(rows) || !rows.every(isPlainObject)) {
			throw this.problem(field, `must be a list of entries, not ${show(raw)}`);
		}
		const [first] = values;
		return rows.map(prepare).map((row) => {
			const on = toText(row[first.name]) ? ` for ${show(row[first.name])}` : '';
			const cells = values.map(({ name: key, displayName, default: unset, options = [] }) => {
				const value = Object.hasOwn(row, key) ? row[key] : unset;
				const label = `'${displayName}'${key === first.name ? '' : on}`;
				if (isNothing(value)) throw this.problem(field, `has no ${label}`, adviseOn(value));
				const text = this.textIn(field, value, label);
				const choices = (options as INodePropertyOptions[]).map((option) => option.value);
				if (choices.length > 0 && !choices.includes(text)) {
					const what = `must be one of ${choices.join(', ')}, not ${show(text)}`;
					throw this.problem(field, `has an entry whose '${displayName}' ${what}`);
				}
				return [key, text];
			});
			return Object.fromEntries(cells) as Record<string, string>;
		});
	}

	/** The rows of a fixed collection with `key` and `value` as one object. */
	keyValues(field: INodeProperties): Record<string, string> {
		const pairs = this.rows(field).map(({ key, value }) => [key.trim(), value]);
		if (pairs.some(([key]) => key === '')) throw this.problem(field, 'has an entry without a key');
		const keys = pairs.map(([key]) => key);
		const twice = keys.find((key, at) => keys.indexOf(key) < at);
		if (twice) throw this.problem(field, `has the key ${show(twice)} twice: remove one of them`);
		return Object.fromEntries(pairs) as Record<string, string>;
	}

	/**
	 * A JSON object: text, or an object from an expression. Empty text is an empty object, and so is what a model leaves out.
	 *
	 * @param parse throws for invalid JSON; by default, integers that a number cannot hold become texts
	 */
	json(field: INodeProperties, parse = parseJson): IDataObject {
		const given = this.raw(field, field.default);
		const raw = this.isToolUse ? (given ?? '') : given;
		if (typeof raw === 'string') this.checkDepth(field, parseLeadingJson(raw, JSON.parse));
		const value = typeof raw === 'string' ? parseLeadingJson(raw.trim() || '{}', parse) : raw;
		if (!isPlainObject(value)) {
			throw this.problem(
				field,
				`must be a JSON object such as {"key": "value"}, not ${show(raw)}`,
				value === undefined
					? 'In JSON, names and texts are in double quotes, and no comma follows the last entry.'
					: undefined,
			);
		}
		return value;
	}

	/** A point in time. Values without a zone are in the workflow's time zone, as everywhere in n8n. */
	time(field: INodeProperties): Micros {
		return this.required(field, this.optionalTime(field));
	}

	/** A time as `time` reads it, or undefined when it is empty or not set. */
	optionalTime(field: INodeProperties): Micros | undefined {
		const raw = this.raw(field, '');
		if (isNothing(raw) || raw === '') return undefined;
		const value = typeof raw === 'number' ? raw : toText(raw);
		const time = isUnixSeconds(raw) ? undefined : parseTime(value, this.context.getTimezone());
		if (time === undefined) {
			if (parseTime(value) !== undefined) this.timezone();
			throw this.problem(
				field,
				`must be a date from ${FIRST_YEAR} to ${LAST_YEAR}, for example 2026-01-31T09:00:00Z, not ${show(raw)}`,
				adviseOnTime(raw),
			);
		}
		return time;
	}

	/** The name of the workflow's time zone. @throws Failure when there is no such zone */
	timezone(): string {
		const zone = this.context.getTimezone();
		if (isTimeZone(zone)) return zone;
		throw new Failure({
			message: `The workflow's time zone ${show(zone)} does not exist`,
			description:
				"Choose another one in the workflow's Settings → Timezone. If that is 'Default', set n8n's GENERIC_TIMEZONE to a name such as Europe/Berlin. A time with a zone of its own, such as 2026-01-31T09:00:00Z, needs neither.",
			isInput: true,
		});
	}

	/** The error that names a field and the problem. */
	problem(field: INodeProperties, what: string, description?: string): Failure {
		return new Failure({
			message: `'${field.displayName}' ${what}`,
			description,
			isInput: true,
		});
	}

	private readText(field: INodeProperties, unset: NodeParameterValueType): string | undefined {
		const raw = this.raw(field, unset);
		if (isNothing(raw)) return undefined;
		const text = toText(raw);
		if (text === undefined)
			throw this.problem(field, `must be text, not ${describeKind(raw)}`, adviseOn(raw));
		if (text.trim() === '') return undefined;
		const { exact, rule = () => undefined } = getReading<string>(field);
		const isId = !exact && isIdentified(field);
		const value = exact ? text : isId ? parseId(text.trim()) : text.trim();
		if (isId && WEB_ADDRESS.test(value)) {
			const what = 'must not be a URL, unless it is that of its own page in Wherobots Cloud';
			throw this.problem(field, what, 'Choose it from the list instead.');
		}
		return this.checked(field, value, [findBrokenCharacter, rule]);
	}

	private readInteger(field: INodeProperties, unset: NodeParameterValueType): number | undefined {
		const given = this.raw(field, unset);
		const raw = typeof given === 'string' ? given.trim() : given;
		if (isNothing(raw) || raw === '') return undefined;
		const value = typeof raw === 'string' ? Number(raw) : raw;
		if (typeof value !== 'number' || !Number.isSafeInteger(value)) {
			throw this.problem(field, `must be a whole number, not ${show(raw)}`);
		}
		return this.checked(field, value, toNumberRules(field));
	}

	/** The texts of a list; nested lists are flattened. */
	entries(field: INodeProperties, raw: unknown): string[] {
		const values: unknown[] = Array.isArray(raw) ? raw.flat() : [raw];
		return values.map((value, index) => this.textIn(field, value, `entry ${index + 1}`));
	}

	/** The text of one of a field's values. @param label what the value is called */
	private textIn(field: INodeProperties, value: unknown, label: string): string {
		if (isNothing(value)) throw this.problem(field, `has no value for ${label}`, adviseOn(value));
		const text = toText(value);
		if (text === undefined)
			throw this.problem(
				field,
				`has ${describeKind(value)} as ${label}, not text`,
				adviseOn(value),
			);
		const what = findBrokenCharacter(text);
		if (what) throw this.problem(field, `has ${label}, which ${what}`);
		return text;
	}

	private required<T>(field: INodeProperties, value: T | undefined): T {
		if (value !== undefined) return value;
		throw this.problem(field, 'must not be empty', adviseOn(this.raw(field, '')));
	}

	private checked<T>(field: INodeProperties, value: T, rules: Array<Rule<T>>): T {
		for (const rule of rules) {
			const what = rule(value);
			if (!what) continue;
			const shown = show(value);
			throw this.problem(field, what, what.includes(shown) ? '' : `Its value is ${shown}.`);
		}
		return value;
	}
}

/** What to do about an expression that returned nothing, or more than one value. */
function adviseOn(value: unknown): string | undefined {
	if (isNothing(value))
		return 'Its expression returned nothing. Check its names against the output of the node before this one.';
	return Array.isArray(value) || isPlainObject(value)
		? 'Its expression must return a single value, such as {{ $json.id }}. To use all of an object or a list as text, write {{ JSON.stringify($json.data) }}.'
		: undefined;
}

/** Whether its record is given by its ID or name. */
function isIdentified({ modes }: INodeProperties): boolean {
	return modes !== undefined && !modes.some(({ name }) => name === 'path');
}

const WEB_ADDRESS = /^https?:\/\/[^/]+([^?#]*)/i;

/**
 * The ID in the entered text: the last part of the path when the URL of a record in the console was
 * pasted, where it follows the name of a list. A regex on the field is not an alternative: with one,
 * n8n itself rejects numbers and empty values.
 */
function parseId(entered: string): string {
	const [, path = ''] = WEB_ADDRESS.exec(entered) ?? [];
	const parts = path.split('/').filter(Boolean);
	return parts.length > 1 ? parts[parts.length - 1] : entered;
}
