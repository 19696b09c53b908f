/** The colors of a map by the values of a property, and what they mean. */
import { bisect, extent, groupSort, quantile } from './d3';
import { toText, type MapFeature } from './features';

/** What the colors of a map mean, from the top. */
type Legend = Array<[color: string, label: string]>;

const PLAIN = '#0072b2';
const NO_VALUE = '#b0b0b0';
const OTHER = '#7a7a7a';

/** From low to high, distinguishable in grayscale as well. */
export const CLASSES = ['#e5a823', '#d9622b', '#bb3754', '#6b1d6e', '#1f0c48'];

/** Distinguishable by people with red-green color blindness (the palette of Okabe and Ito). */
const CATEGORIES = ['#0072b2', '#e69f00', '#009e73', '#d55e00', '#cc79a7', '#56b4e9', '#b8a800'];

/** Among numbers, a value that is missing: SQL and Python write it by name. */
const NOT_A_NUMBER = /^[+-]?(NaN|Infinity)$/;

/** Decimal, without the leading zero of a code, and not the ID of a cell, which has up to 64 bits. */
const NUMBER = /^[+-]?(0|[1-9]\d*)?(\.\d*)?(e[+-]?\d+)?$/i;

/**
 * Colors features by a property: numbers in up to five classes of about equal size, anything else by
 * its seven most frequent values.
 *
 * @param column undefined gives all features one color, and an empty legend
 */
export function chooseColoring(features: MapFeature[], column: string | undefined) {
	if (column === undefined) return { colorOf: () => PLAIN, legend: [] };
	const valueOf = ({ properties }: MapFeature) =>
		Object.hasOwn(properties, column) ? toText(properties[column] ?? '') : '';
	const values = features.map(valueOf).filter((value) => value !== '');
	const present = values.filter((value) => !NOT_A_NUMBER.test(value));
	const isNumeric = present.length > 0 && present.every(isNumber);
	const { colorFor, entries } = isNumeric
		? divideIntoClasses(present.map(Number))
		: rankCategories(values);
	const colorOf = (feature: MapFeature) => {
		const value = valueOf(feature);
		const isMissing = value === '' || (isNumeric && NOT_A_NUMBER.test(value));
		return isMissing ? NO_VALUE : colorFor(value);
	};
	const all: Legend = [...entries, [OTHER, 'Other'], [NO_VALUE, 'No value']];
	const used = new Set(features.map(colorOf));
	return { colorOf, legend: all.filter(([color]) => used.has(color)) };
}

function isNumber(text: string): boolean {
	const isCell = /^-?\d{16,}$/.test(text) && !Number.isSafeInteger(Number(text));
	return NUMBER.test(text) && Number.isFinite(Number(text)) && !isCell;
}

function divideIntoClasses(numbers: number[]) {
	const boundAt = (place: number) => quantile(numbers, place / CLASSES.length) ?? 0;
	const bounds = CLASSES.map((_, place) => boundAt(place));
	const classOf = (value: number) => bisect(bounds, value) - 1;
	const ranges = CLASSES.flatMap((color, place) => {
		const [least, most] = extent(numbers.filter((value) => classOf(value) === place));
		return least === undefined ? [] : [{ color, least, most }];
	});
	const limits = formatLimits(ranges);
	const isWhole = numbers.every((value) => Number.isInteger(value) && Math.abs(value) < 10_000);
	const entries = ranges.map(({ color, least, most }, at): Legend[number] => {
		const next = isWhole && ranges[at + 1]?.least;
		const end = typeof next === 'number' ? (next - 1).toLocaleString('en') : limits[at + 1];
		return [color, least === most ? limits[at] : `${limits[at]} to ${end}`];
	});
	return { colorFor: (value: string) => CLASSES[classOf(Number(value))], entries };
}

function rankCategories(values: string[]) {
	const frequent = groupSort(
		values,
		(same) => -same.length,
		(value) => value,
	).slice(0, CATEGORIES.length);
	return {
		colorFor: (value: string) => CATEGORIES[frequent.indexOf(value)] ?? OTHER,
		entries: frequent.map((label, index): Legend[number] => [CATEGORIES[index], label]),
	};
}

/**
 * Where the classes of a legend begin, which is where those before them end, and the end of the last. All
 * are rounded where the largest has its fourth digit, or farther right if classes would begin alike, but
 * none to nothing.
 */
function formatLimits(ranges: Array<{ least: number; most: number }>): string[] {
	const largest = Math.max(...ranges.flatMap(({ least, most }) => [-least, most]));
	const notation = largest >= 1e6 ? 'compact' : 'standard';
	let digits = 4;
	const format = (value: number, roundingMode?: 'floor' | 'ceil') => {
		const ofValue = digits + findFirstDigit(value) - findFirstDigit(largest);
		const maximumSignificantDigits = Math.min(Math.max(1, ofValue), 21);
		return value.toLocaleString('en', { maximumSignificantDigits, notation, roundingMode });
	};
	const formatStarts = () =>
		ranges.map(({ least, most }) => format(least, least === most ? undefined : 'floor'));
	while (digits < 21 && new Set(formatStarts()).size < ranges.length) digits++;
	return [...formatStarts(), format(ranges[ranges.length - 1].most, 'ceil')];
}

/** How many places left of the ones it is. */
function findFirstDigit(value: number): number {
	return Math.floor(Math.log10(Math.abs(value) || 1));
}
