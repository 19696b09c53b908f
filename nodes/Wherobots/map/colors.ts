import type { IDataObject } from 'n8n-workflow';

import type { MapFeature } from './features';

export interface LegendEntry {
	color: string;
	label: string;
}

const PLAIN = '#0072b2';
const NO_VALUE = { color: '#b5b5b5', label: 'No value' };
const OTHER = { color: '#7a7a7a', label: 'Other' };

/** From low to high, distinguishable in grayscale as well. */
const CLASSES = ['#f6d746', '#e8702a', '#bb3754', '#6b1d6e', '#1f0c48'];

/** Distinguishable by people with red-green color blindness (the palette of Okabe and Ito). */
const CATEGORIES = ['#0072b2', '#e69f00', '#009e73', '#d55e00', '#cc79a7', '#56b4e9', '#b8a800'];

/**
 * Colors features by a property: numbers in up to five classes of about equal size, anything else by
 * its seven most frequent values.
 *
 * @param column undefined gives all features one color, and an empty legend
 */
export function coloring(features: MapFeature[], column: string | undefined) {
	if (column === undefined) return { colorOf: () => PLAIN, legend: [] };
	const values = features.map(({ properties }) => valueIn(properties, column));
	const present = values.filter((value) => value !== undefined);
	const numbers = present.map(Number);
	const isNumeric = present.length > 0 && numbers.every(Number.isFinite);
	const [entries, entryOf] = isNumeric ? classes(numbers) : categories(present);
	const pick = (value: string | undefined) => (value === undefined ? NO_VALUE : entryOf(value));
	const used = new Set(values.map(pick));
	return {
		colorOf: ({ properties }: MapFeature) => pick(valueIn(properties, column)).color,
		legend: [...entries, OTHER, NO_VALUE].filter((entry) => used.has(entry)),
	};
}

/** Undefined when a feature has no value. */
function valueIn(properties: IDataObject, column: string): string | undefined {
	const value = Object.hasOwn(properties, column) ? properties[column] : undefined;
	if (value === undefined || value === null || value === '') return undefined;
	return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** The entries of a legend in their order, and which of them a value has. */
type Entries = [LegendEntry[], (value: string) => LegendEntry];

function classes(numbers: number[]): Entries {
	const sorted = [...numbers].sort((one, other) => one - other);
	const ends = CLASSES.map(
		(_, index) => sorted[Math.ceil(((index + 1) / CLASSES.length) * sorted.length) - 1],
	).filter((end, index, all) => end !== all[index - 1]);
	const entries = ends.map((end, index) => {
		const begin = ends[index - 1] ?? sorted[0];
		const label = begin === end ? formatted(end) : `${formatted(begin)} to ${formatted(end)}`;
		const place = Math.round((index / (ends.length - 1 || 1)) * (CLASSES.length - 1));
		return { color: CLASSES[place], label: index === 0 ? label : `> ${label}` };
	});
	return [entries, (value) => entries[ends.findIndex((end) => Number(value) <= end)]];
}

function categories(values: string[]): Entries {
	const counts = new Map<string, number>();
	for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
	const byCount = [...counts].sort(([, one], [, other]) => other - one);
	const entries = CATEGORIES.slice(0, counts.size).map((color, index) => ({
		color,
		label: byCount[index][0],
	}));
	return [entries, (value) => entries.find(({ label }) => label === value) ?? OTHER];
}

/** Four significant digits, as people write them. */
function formatted(value: number): string {
	return value.toLocaleString('en', { maximumSignificantDigits: 4 });
}
