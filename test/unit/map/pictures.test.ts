import { readFileSync } from 'node:fs';
import path from 'node:path';

import type { IDataObject } from 'n8n-workflow';

import { drawn, feature, legendOf, lines, point, positions, ring } from './drawn';

describe('colors', () => {
	const values = (...all: unknown[]) =>
		lines(all.map((size, index) => point(index / 100, 50, { size } as IDataObject)));

	it('puts numbers into classes of one size', async () => {
		const map = await drawn(values(...Array.from({ length: 100 }, (_, index) => 1_000 + index)), {
			column: 'size',
		});
		expect(legendOf(map)).toEqual([
			'1,000 to 1,020',
			'1,020 to 1,040',
			'1,040 to 1,060',
			'1,060 to 1,080',
			'1,080 to 1,099',
		]);
		const colors = [...map.svg.matchAll(/stroke="(#\w+)" stroke-width="9"/g)].map(
			([, color]) => color,
		);
		expect(new Set(colors.slice(0, 20)).size).toBe(1);
		expect(new Set(colors).size).toBe(5);
		expect(colors.filter((color) => color === colors[20])).toHaveLength(20);
	});

	it('names classes by limits that leave no gap, up to the largest value', async () => {
		const pairs = [11_111, 22_222, 33_333, 44_444, 55_555].flatMap((each) => [each, each + 2]);
		expect(legendOf(await drawn(values(...pairs), { column: 'size' }))).toEqual([
			'11,110 to 22,220',
			'22,220 to 33,330',
			'33,330 to 44,440',
			'44,440 to 55,550',
			'55,550 to 55,560',
		]);
	});

	it('has room for classes of millions', async () => {
		const pairs = [1, 2, 3, 4, 5].flatMap((each) => [each * 1_111_000, each * 1_111_000 + 5_000]);
		const [first] = legendOf(await drawn(values(...pairs), { column: 'size' }));
		expect(first).toBe('1.111M to 2.222M');
	});

	it('ends a class at the value that is the next', async () => {
		const some = [1, 2, 2.5, 3, 7, 7, 8, 8.25, 8.5, 9];
		expect(legendOf(await drawn(values(...some), { column: 'size' }))).toEqual([
			...['1 to 2.5', '2.5 to 7', '7', '8 to 8.5', '8.5 to 9'],
		]);
	});

	it.each([
		['tens, where the largest has five digits', [172.1, 3_000, 9_996, 24_000, 62_700], '170'],
		['as finely as classes differ', [1.24, 1.26, 1.3, 1.4, 62_700], '1.24'],
		['to no less than one digit', [0.0312, 3_000, 9_996, 24_000, 62_700], '0.03'],
		['below zero, too', [-172.1, 3_000, 9_996, 24_000, 62_700], '-170'],
		['in thousands', [172_100, 3_000_400, 4e6, 5e6, 62_700_000], '170K'],
	])('rounds all numbers of a legend alike: %s', async (_, numbers, first) => {
		const [least, , , , most] = legendOf(await drawn(values(...numbers), { column: 'size' }));
		expect(least).toBe(first);
		expect(['62,700', '62.7M']).toContain(most);
	});

	const cells = ['617700169958293503', '617700169958293504'];

	it.each<[string, unknown[], string[], ((value: unknown) => string)?]>([
		['numbers as texts, one missing', ['2.5', '2.5', null], ['2.5', 'No value']],
		['numbers and what is none', [1, 'Infinity', null], ['1', 'No value']],
		['numbers and NaN', ['1', '-Infinity', 'NaN'], ['1', 'No value'], String],
		['texts, NaN among them', ['NaN', 'Ann'], ['Ann', 'NaN']],
		['texts, some like numbers', ['2.5', '2.50', 'many'], ['2.5', '2.50', 'many']],
		['codes with leading zeros', ['01001', '06037'], ['01001', '06037']],
		['negative codes', ['-01', '5'], ['-01', '5']],
		['hexadecimal texts', ['0x1f', '5'], ['0x1f', '5']],
		['cells of 64 bits', cells, cells],
		['cells of 64 bits as numbers', cells, cells, String],
	])('a column of %s has this legend', async (_, all, legend, text = JSON.stringify) => {
		const features = all.map((value, index) =>
			JSON.stringify(point(index / 100, 50, { size: 0 })).replace(
				/"size":0/,
				`"size":${text(value)}`,
			),
		);
		expect(legendOf(await drawn(features.join('\n'), { column: 'size' }))).toEqual(legend);
	});

	it('takes large numbers that are no cells for numbers', async () => {
		const map = await drawn(values('0', '0.5', '12.50', '-3', '1e300'), { column: 'size' });
		expect(legendOf(map)).toHaveLength(5);
	});

	it('shows the most frequent texts, and the others as one', async () => {
		const some = 'abcdefghi'
			.split('')
			.flatMap((letter, index) => Array(index + 2).fill(letter) as string[]);
		expect(legendOf(await drawn(values(...some), { column: 'size' }))).toEqual([
			...'ihgfedc',
			'Other',
		]);
	});

	it('does not take what every object has for a value', async () => {
		await expect(drawn(values(1), { column: 'constructor' })).rejects.toThrow(
			'no feature has the column "constructor". The columns are: size',
		);
	});

	it('has one color and no legend without a column', async () => {
		const map = await drawn(values(1, 2));
		expect(map.svg.match(/stroke="#0072b2"/g)).toHaveLength(2);
		expect(legendOf(map)).toEqual([]);
		// The map is as wide as the picture, and nothing is below it.
		expect(map.svg).toContain('<path d="M140 60L896 60');
		expect(map.svg).not.toContain('></text>');
	});
});

it('colors look in the legend as they do on the map', async () => {
	const some = [feature('Polygon', [ring(0, 0, 1, 1)], { a: 'area' }), point(2, 2, { a: 'point' })];
	const { svg } = await drawn(lines(some), { column: 'a' });
	const lookOf = (label: string) =>
		new RegExp(`Z"([^>]*)><title></title></path>\n<text[^>]*>${label}<`).exec(svg)?.[1];
	expect(lookOf('area')).toBe(' stroke="#00446b" fill="#0072b2" fill-opacity="0.7"');
	expect(lookOf('point')).toBe(' fill="#e69f00"');
});

it('areas of one color have edges that tell them apart', async () => {
	const boxes = [0, 1].map((at) => feature('Polygon', [ring(at, 0, at + 1, 1)], { a: 1 }));
	const { svg } = await drawn(lines(boxes));
	expect(svg.match(/stroke="#00446b" fill="#0072b2"/g)).toHaveLength(2);
});

it('letters are at least 11 pixels high where the picture is 440 wide', async () => {
	const { svg } = await drawn(lines([point(7, 50, { a: 1 }), point(91, 91)]), { column: 'a' });
	const [, width] = /viewBox="0 0 (\d+)/.exec(svg) ?? [];
	const sizes = [...svg.matchAll(/font-size="(\d+)"/g)].map(([, size]) => Number(size));
	expect(sizes.length).toBeGreaterThan(8);
	expect((Math.min(...sizes) * 440) / Number(width)).toBeGreaterThanOrEqual(11);
});

it.each([
	[
		'Αθήνα',
		'The picture shows ? for letters that its font lacks, and omits accents that it lacks.',
	],
	[
		'Hạ Long',
		'The picture shows ? for letters that its font lacks, and omits accents that it lacks.',
	],
	['Łódź', ''],
	['Iğdır, Győr, Iași', ''],
])('what the picture cannot write is noted, on the page too: %s', async (name, note) => {
	const { facts, svg, page } = await drawn(lines([point(7, 50, { name })]), { column: 'name' });
	expect(facts.note).toContain(note);
	expect(facts.note === '').toBe(note === '');
	expect(page.includes(`<p>${facts.note}</p>`)).toBe(note !== '');
	expect(svg).toContain(`>${name}<`);
});

describe('points that hide others', () => {
	const ofPoints = async (...points: Array<[east: number, north: number]>) =>
		await drawn(lines(points.map(([east, north]) => point(east, north))));

	it('are counted on the map, where they are at the same places', async () => {
		const { facts, svg } = await ofPoints([7, 50], [7, 50], [7, 50], [8, 51]);
		expect(facts.note).toBe('Points hidden by others, at least in part: 2 of 4.');
		expect(svg).toContain(`>${facts.note}<`);
	});

	it('are counted where less than the radius of a dot is between them at the scale of the map', async () => {
		// On a map from 0° to 10° north, a dot is 12 units wide, and a degree has 43.7 units.
		const ends: Array<[number, number]> = [
			[0, 0],
			[0, 10],
		];
		const [near, far] = [5 / 43.7, 7 / 43.7];
		expect((await ofPoints(...ends, [0, 5], [near, 5])).facts.note).toContain(': 1 of ');
		expect((await ofPoints(...ends, [0, 5], [0, 5 + near])).facts.note).toContain(': 1 of ');
		expect((await ofPoints(...ends, [0, 5], [far, 5], [0, 5 - far])).facts.note).toBe('');
		// Dots are smaller where there are many.
		const many = Array.from({ length: 39 }, (_, at): [number, number] => [at / 4 + 0.25, 10]);
		expect((await ofPoints(...ends, ...many, [0, 5], [4 / 43.7, 5])).facts.note).toContain(
			': 1 of ',
		);
		expect((await ofPoints(...ends, ...many, [0, 5], [near, 5])).facts.note).toBe('');
	});
});

describe('the files', () => {
	it('show title, grid, scale, legend and note in their places', async () => {
		const area = { name: 'East Field', crops: ['corn', 'rye'], rain: null, note: 'x'.repeat(81) };
		const column = 'Diameter in mm (grain)';
		const { svg, page } = await drawn(
			lines([
				feature('Polygon', [ring(-2, -2, 2, 2), ring(-1, -1, 1, 1)], {
					...{ ...area, a: 1, b: true, c: 1.5, d: '', left: 'out' },
					[column]: 12,
				}),
				feature('LineString', positions('-3 1, 3 1.25'), { [column]: 23.456 }),
				feature('MultiPoint', positions('2.5 0, 2.5 -1.5'), { [column]: null }),
				point(7, 91),
			]),
			{ title: `Hail ${'and wind '.repeat(5)}in the fields, August`, column },
		);
		// Whoever changes how maps look looks at the new file in a browser.
		expect(svg).toBe(readFileSync(path.join(__dirname, 'hail.svg'), 'utf8'));
		expect(page).toContain('<title>Hail and wind and wind');
	});

	it('are as wide as the window of a browser', async () => {
		const { page } = await drawn(lines([point(7, 50)]));
		expect(page).toContain('svg { width: 100%; height: auto; }');
	});

	const hostile = point(7, 50, { name: '</svg><script>alert(1)</script> & \u0000 \ud800' });

	it('show text as text', async () => {
		const { svg, page } = await drawn(lines([hostile]), { column: 'name' });
		expect(svg).not.toContain('<script');
		expect(svg).not.toContain('\u0000');
		expect(page).not.toMatch(/<script/);
		expect(page).toContain(svg);
		expect(svg).toContain('&#60;script&#62;');
	});
});
