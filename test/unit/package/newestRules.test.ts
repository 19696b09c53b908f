/**
 * Rules of n8n's linter for community nodes that its pinned version does not have yet. Once it has one,
 * the test here can go.
 */
import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';

import { Wherobots } from '../../../nodes/Wherobots/Wherobots.node';
import actionCodex from '../../../nodes/Wherobots/Wherobots.node.json';
import { WherobotsTrigger } from '../../../nodes/Wherobots/WherobotsTrigger.node';
import triggerCodex from '../../../nodes/Wherobots/WherobotsTrigger.node.json';
import { read } from '../../support/repository';

const nodes = [new Wherobots().description, new WherobotsTrigger().description];

type Entry = INodeProperties | INodePropertyOptions | INodePropertyCollection;

/** A field and those within it. */
function withInner(entry: Entry): INodeProperties[] {
	const inner: Entry[] =
		'values' in entry ? entry.values : 'options' in entry ? (entry.options ?? []) : [];
	return [...('type' in entry ? [entry] : []), ...inner.flatMap(withInner)];
}

const form = nodes.flatMap(({ properties }) => properties);
const fields = form.flatMap(withInner);

test('hint-max-length: a hint below a field has at most 120 characters', () => {
	const long = fields.filter(({ hint }) => (hint?.length ?? 0) > 120);
	expect(long.map(({ displayName, hint }) => [displayName, hint?.length])).toEqual([]);
});

test('no label is cut in a panel of usual width', () => {
	const isCut = ({ displayName, type }: INodeProperties, most: number) =>
		!['notice', 'callout', 'hidden'].includes(type) && displayName.length > most;
	const inner = form.flatMap((field) => withInner(field).slice(1));
	// Within a collection, there is less room.
	const cut = [...form.filter((one) => isCut(one, 30)), ...inner.filter((one) => isCut(one, 24))];
	expect(new Set(cut.map(({ displayName }) => displayName))).toEqual(new Set());
});

test('the editor does not mark a list that may stay empty as wrong', () => {
	const marked = form.filter(
		({ type, default: value, required, allowArbitraryValues, typeOptions }) =>
			type === 'options' &&
			typeOptions?.loadOptionsMethod !== undefined &&
			value === '' &&
			!required &&
			!allowArbitraryValues,
	);
	expect(marked.map(({ displayName }) => displayName)).toEqual([]);
});

/** May stay empty, and belong beside the field that they complete: n8n's rule only warns about these. */
const BESIDE_OTHERS = [
	// Of the program that a job run executes.
	...['Arguments', 'Main Class', 'Dependency Binary Fields'],
	// Of a file to write.
	...['Fields', 'File Name'],
	// What narrows a search, which is what its operation is about.
	...['Search Term', 'Prefix', 'Column Names or IDs'],
	// Of a place in which rows are searched.
	...['Geometry Column Name or ID', 'Distance (Meters)'],
];

test('non-required-fields-in-collection: what may stay empty is in a collection', () => {
	const containers = ['collection', 'fixedCollection', 'notice', 'callout', 'hidden'];
	const isEmpty = ({ default: value }: INodeProperties) =>
		value === '' || value === undefined || (Array.isArray(value) && value.length === 0);
	const left = form.filter(
		(field) => !field.required && !containers.includes(field.type) && isEmpty(field),
	);
	expect(left.filter(({ displayName }) => !BESIDE_OTHERS.includes(displayName))).toEqual([]);
});

test('open-ended-node-fields: JSON is required, or chosen instead of typed fields', () => {
	const isChosen = ({ displayOptions }: INodeProperties) =>
		Object.keys(displayOptions?.show ?? {}).some(
			(name) => !['resource', 'operation'].includes(name),
		);
	const optional = form.filter(
		(field) => field.type === 'json' && !field.required && !isChosen(field),
	);
	expect(optional.map(({ displayName }) => displayName)).toEqual([]);
});

test("valid-node-categories, no-logic-or-flow-nodes: categories are n8n's own", () => {
	// https://docs.n8n.io/connect/create-nodes/build-your-node/reference/codex-files/
	const known = [
		...['Analytics', 'Communication', 'Data & Storage', 'Development', 'Finance & Accounting'],
		...['Marketing & Content', 'Miscellaneous', 'Productivity', 'Sales', 'Utility'],
	];
	for (const codex of [actionCodex, triggerCodex]) {
		expect(codex.categories.filter((category) => !known.includes(category))).toEqual([]);
		expect(codex).not.toHaveProperty('subcategories');
	}
});

describe('icon-contrast', () => {
	/** Relative luminance of `#rrggbb` (WCAG 2). */
	const luminance = (color: string) => {
		const [red, green, blue] = [1, 3, 5]
			.map((at) => parseInt(color.slice(at, at + 2), 16) / 255)
			.map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
		return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
	};
	const contrast = (one: string, other: string) => {
		const [dark, bright] = [luminance(one), luminance(other)].sort((a, b) => a - b);
		return (bright + 0.05) / (dark + 0.05);
	};

	it.each([
		['wherobots.svg', '#ffffff'],
		['wherobotsTrigger.svg', '#ffffff'],
		['wherobots.dark.svg', '#2b2b2b'],
		['wherobotsTrigger.dark.svg', '#2b2b2b'],
	])('%s stands out from %s', (icon, background) => {
		const colors = [
			...read(`icons/${icon}`).matchAll(/(?:fill|stroke|stop-color)[=:]\s*"?(#[0-9a-f]{6})/gi),
		];
		expect(Math.max(...colors.map(([, color]) => contrast(color, background)))).toBeGreaterThan(3);
	});
});
