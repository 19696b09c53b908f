/** What pictures consist of, and how letters become strokes. */
import { stringToPaths } from 'hershey';

import { extent, sum } from './d3';

/** In units from the upper left corner of a picture. */
export type Point = [x: number, y: number];

export interface Path {
	/** A ring of one point is a dot as wide as the stroke. */
	rings: Point[][];
	/** Colors are #rrggbb. A path with a fill is closed; the area inside two of its rings is a hole. */
	fill?: string;
	/** From 0 to 1; default 1. */
	'fill-opacity'?: number;
	stroke?: string;
	'stroke-width'?: number;
	/** Tooltip of the shape. */
	title?: string;
}

export interface Text {
	text: string;
	/** Start, middle or end of the baseline. */
	at: Point;
	/** Height of the font. */
	size: number;
	anchor: 'start' | 'middle' | 'end';
	fill?: string;
}

/** Of a legend: what a box looks like or, without a fill, a dot; and what that means. */
export type Entry = [look: Partial<Path>, label: string];

/** Color of the texts. */
export const INK = '#333333';

/** Height of their font, 11 pixels where a phone shows the picture 360 pixels wide, and of a line. */
export const [LETTERS, LINE] = [24, 30];

/** A picture: its shapes from back to front. */
export interface Scene {
	width: number;
	height: number;
	shapes: Array<Path | Text>;
}

/** The edges of a part of the picture. */
export interface Frame {
	left: number;
	top: number;
	right: number;
	bottom: number;
}

/** Where degrees are `at`, and `from` where `to` a frame shows them, also beyond 180° and the poles. */
export interface Axis {
	at: (degrees: number) => number;
	from: number;
	to: number;
}

/** Mean length of a degree of latitude. */
export const KM_PER_DEGREE = 111.195;

export function getCorners({ left, top, right, bottom }: Frame): Point[] {
	return [
		[left, top],
		[right, top],
		[right, bottom],
		[left, bottom],
	];
}

/** Height of a capital letter in the font; a font size is about 1.4 times that. */
const CAPITAL = 21;

/** Vertical position of the font's baseline. */
const BASE_LINE = -9;

/** In units of the font, with y upwards: strokes, and the half of the width. */
interface Glyph {
	paths: Point[][];
	half: number;
}

/** A stroke from point to point, written like an SVG polyline. */
const drawLine = (points: string): Point[] =>
	points.split(' ').map((point) => point.split(',').map(Number) as Point);

const drawCircle = (y: number, radius: number): Point[] =>
	Array.from({ length: 9 }, (_, at) => {
		const angle = (at * Math.PI) / 4;
		return [radius * Math.cos(angle), y + radius * Math.sin(angle)];
	});

/** What the font lacks. */
const OTHERS: Record<string, Glyph> = {
	ß: {
		half: 9,
		paths: [drawLine('-5,-9 -5,8 -3,11 0,12 3,11 5,8 4,5 0,2 4,1 6,-2 6,-5 4,-8 0,-9 -2,-8')],
	},
	'°': { half: 5, paths: [drawCircle(9, 3)] },
	'²': { half: 6, paths: [drawLine('-4,9 -3,11 -1,12 1,12 3,11 4,9 3,7 -4,1 4,1')] },
	'³': { half: 6, paths: [drawLine('-4,12 4,12 0,8 2,8 4,6 4,4 2,1 -2,1 -4,3')] },
	'–': { half: 14, paths: [drawLine('-11,0 11,0')] },
	'—': { half: 20, paths: [drawLine('-17,0 17,0')] },
};

/** Strokes of marks: above the top of their letter or, where they begin at or below zero, below its bottom. */
const MARKS: Record<string, Point[][]> = {
	'\u0300': [drawLine('-3,6 1,2')],
	'\u0301': [drawLine('3,6 -1,2')],
	'\u0302': [drawLine('-4,2 0,6 4,2')],
	'\u0303': [drawLine('-5,3 -2,5 2,3 5,5')],
	'\u0304': [drawLine('-4,4 4,4')],
	'\u0306': [drawLine('-4,6 -2,3 2,3 4,6')],
	'\u0307': [drawLine('0,4 0,5')],
	'\u0308': [drawLine('-4,4 -4,5'), drawLine('4,4 4,5')],
	'\u030A': [drawCircle(5, 2.5)],
	'\u030B': [drawLine('-1,6 -4,2'), drawLine('5,6 2,2')],
	'\u030C': [drawLine('-4,6 0,2 4,6')],
	'\u0326': [drawLine('1,-3 -1,-7')],
	'\u0327': [drawLine('0,0 0,-2 3,-3 3,-5 1,-6 -2,-6')],
	'\u0328': [drawLine('4,0 2,-2 2,-4 4,-5 6,-4')],
};

/** Letters and signs that look like others, or like several of them. */
const ALIKE: Record<string, string> = {
	...{ Æ: 'AE', æ: 'ae', Ø: 'O', ø: 'o', Œ: 'OE', œ: 'oe', Ł: 'L', ł: 'l', Đ: 'D', đ: 'd', ı: 'i' },
	...{ '‘': "'", '’': "'", '“': '"', '”': '"', '„': '"', '−': '-', '×': 'x', '·': '.' },
};

/**
 * A text as strokes, in a single-stroke font: ASCII, the letters of western and central Europe, degrees,
 * squares, cubes and dashes. Other characters appear as question marks, and other marks are left out.
 */
export function drawLetters({ at: [x, y], text, size, anchor, fill = INK }: Text): Path {
	const glyphs = getGlyphs(text);
	const scale = getScale(size);
	const width = measureGlyphs(glyphs);
	const shift = { start: 0, middle: 0.5, end: 1 }[anchor] * width;
	let left = -shift;
	const rings = glyphs.flatMap(({ paths, half }) => {
		const middle = left + half;
		left = middle + half;
		return paths.map((points) =>
			points.map(([px, py]): Point => [x + (middle + px) * scale, y - (py - BASE_LINE) * scale]),
		);
	});
	return { rings, stroke: fill, 'stroke-width': Math.max(0.9, size / 10) };
}

/** Letters that other fonts draw as wide as they are high; pictures are wider still. */
const WIDE = /[@%MW\u1100-\u115F\u2E80-\uFFDC\u{20000}-\u{3FFFF}]/u;
const PICTURE = /\p{Extended_Pictographic}/u;

/** How wide a text may become: in this font, or in a browser's. */
export function measureText(text: string, size: number): number {
	return sum([...text.normalize('NFC')], (each) => {
		if (/[\p{M}\u200D]/u.test(each)) return 0;
		if (!hasLetters(each)) return size * (WIDE.test(each) ? 1 : PICTURE.test(each) ? 1.4 : 0.75);
		return Math.max(WIDE.test(each) ? size : 0, measureGlyphs(getGlyphs(each)) * getScale(size));
	});
}

const getScale = (size: number): number => size / 1.4 / CAPITAL;

const measureGlyphs = (glyphs: Glyph[]): number => sum(glyphs, ({ half }) => 2 * half);

const getGlyphs = (text: string): Glyph[] =>
	[...spell(text).matchAll(/(\P{M})(\p{M}*)/gu)].map(([, character, marks]) =>
		getGlyph(character, marks),
	);

/** Whether the font has all letters of a text. */
export function hasLetters(text: string): boolean {
	return [...spell(text)].every((each) => /[ -~]/.test(each) || each in OTHERS || each in MARKS);
}

/** A text in the letters of the font, as far as there are any, and marks. */
function spell(text: string): string {
	return [...text]
		.map((each) => (each in OTHERS ? each : (ALIKE[each] ?? each).normalize('NFKD')))
		.join('');
}

function getGlyph(character: string, marks: string): Glyph {
	const { paths, half } =
		OTHERS[character] ?? getFontGlyph(/[ -~]/.test(character) ? character : '?');
	const accents = [...marks].flatMap((mark) => MARKS[mark] ?? []);
	const isAbove = ([[, y]]: Point[]) => y > 0;
	// The first stroke of these two is their dot.
	const letter = /[ij]/.test(character) && accents.some(isAbove) ? paths.slice(1) : paths;
	const [bottom = 0, top = 0] = extent(letter.flat(), ([, y]) => y);
	const drawn = accents.map((stroke) =>
		stroke.map(([x, y]): Point => [x, y + (isAbove(stroke) ? top : bottom)]),
	);
	return { paths: [...letter, ...drawn], half };
}

function getFontGlyph(character: string): Glyph {
	const { bounds, paths } = stringToPaths(character);
	return { paths, half: bounds.maxX };
}

export function drawText(text: string, at: Point, size: number, anchor: Text['anchor'] = 'start') {
	return { text, at, size, anchor };
}

/** A text in lines of a width, broken between words where it can; what the last has no room for is cut. */
export function wrapText(given: string, size: number, width: number, count: number): string[] {
	const words = given.normalize('NFC');
	const fitted = fitText(words, size, width);
	if (count === 1 || fitted === words) return [fitted];
	const space = fitted.lastIndexOf(' ');
	const end = space > 0 ? space : fitted.length - 1;
	return [words.slice(0, end), ...wrapText(words.slice(end).trim(), size, width, count - 1)];
}

function fitText(words: string, size: number, width: number): string {
	// No letter is narrower than a fifth of its height.
	const text = cut(words, Math.floor((5 * width) / size));
	if (measureText(text, size) <= width) return text;
	const room = width - measureText('…', size);
	let used = 0;
	const count = [...text].findIndex((each) => (used += measureText(each, size)) > room);
	return `${[...text].slice(0, count).join('')}…`;
}

export function cut(words: string, length: number): string {
	// Twice as long, since a character may be two units of a string; values may be megabytes long.
	const characters = [...words.slice(0, 2 * length + 2)];
	return characters.length > length ? `${characters.slice(0, length - 1).join('')}…` : words;
}
