import { readFileSync } from 'node:fs';
import path from 'node:path';

import type { IDataObject } from 'n8n-workflow';
import { PNG } from 'pngjs';

import { measureText } from '../../../nodes/Wherobots/map/shapes';
import { drawn, feature, findAll, legendOf, lines, point, positions, ring, textsOf } from './drawn';

describe('colors', () => {
	const values = (...all: unknown[]) =>
		lines(all.map((size, at) => point(at % 10, 50 + Math.floor(at / 10), { size } as IDataObject)));

	it('puts whole numbers into classes of one size, which share no number', async () => {
		const map = await drawn(values(...Array.from({ length: 100 }, (_, index) => 1_000 + index)), {
			column: 'size',
		});
		expect(legendOf(map)).toEqual([
			...['1,000 to 1,019', '1,020 to 1,039', '1,040 to 1,059', '1,060 to 1,079', '1,080 to 1,099'],
		]);
		const colors = findAll(map.svg, /stroke="(#\w+)" stroke-width="9"/g);
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
		expect(map.svg).toContain('<path d="M140 60L768 60');
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

describe('the colors of a legend can be seen', () => {
	const channelsOf = (color: string) =>
		[1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16));
	/** As the guidelines for accessible web pages compute it. */
	const luminanceOf = (channels: number[]) => {
		const [red, green, blue] = channels.map((each) =>
			each < 10.3 ? each / 3294 : ((each / 255 + 0.055) / 1.055) ** 2.4,
		);
		return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
	};

	it.each([
		['paper', '#ffffff'],
		['land', '#fbfaf7'],
		['the sea', '#e6eef4'],
	])('on %s, as areas, whatever their number', async (_, ground) => {
		const below = channelsOf(ground);
		for (let count = 1; count <= 7; count++) {
			for (const values of [Array.from({ length: count }, (_, at) => at), [...'abcdefg']]) {
				const boxes = [null, ...values].map((a, at) =>
					feature('Polygon', [ring(at, 0, at + 1, 1)], { a }),
				);
				const { svg } = await drawn(lines(boxes), { column: 'a' });
				const colors = findAll(svg, /fill="(#\w+)" fill-opacity="0.7"/g);
				expect(colors.length).toBeGreaterThan(count);
				for (const color of colors) {
					const mixed = channelsOf(color).map((each, at) => 0.7 * each + 0.3 * below[at]);
					const contrast = (luminanceOf(below) + 0.05) / (luminanceOf(mixed) + 0.05);
					expect(contrast >= 1.5 || `${color}: ${contrast}`).toBe(true);
				}
			}
		}
	});
});

it('areas of one color have edges that tell them apart', async () => {
	const boxes = [0, 1].map((at) => feature('Polygon', [ring(at, 0, at + 1, 1)], { a: 1 }));
	const { svg } = await drawn(lines(boxes));
	expect(svg.match(/stroke="#00446b" fill="#0072b2"/g)).toHaveLength(2);
});

it('letters are at least 11 pixels high where the picture is 360 wide', async () => {
	const { svg } = await drawn(lines([point(7, 50, { a: 1 }), point(91, 91)]), { column: 'a' });
	const [, width] = /viewBox="0 0 (\d+)/.exec(svg) ?? [];
	const sizes = findAll(svg, /font-size="(\d+)"/g).map(Number);
	expect(sizes.length).toBeGreaterThan(8);
	expect((Math.min(...sizes) * 360) / Number(width)).toBeGreaterThanOrEqual(11);
});

const LACKS =
	'The picture shows ? for letters that its font lacks, and omits accents that it lacks.';

it.each([
	['Αθήνα', LACKS],
	['Hạ Long', LACKS],
	['Łódź', ''],
	['Iğdır, Győr, Iași', ''],
])('what the picture cannot write is noted, but not on the page: %s', async (name, note) => {
	const { facts, svg, page, png } = await drawn(lines([point(7, 50, { name })]), {
		column: 'name',
	});
	expect(facts.note).toContain(note);
	expect(facts.note === '').toBe(note === '');
	const { height } = PNG.sync.read(Buffer.from(await png()));
	const [, ofSvg] = /height="(\d+)"/.exec(svg) ?? [];
	expect(height > 2 * Number(ofSvg)).toBe(note !== '');
	// Where every letter is shown, nobody needs the note.
	expect(page).not.toContain('?');
	expect(page).not.toContain('omits');
	expect(svg).toContain(`>${name}<`);
});

describe('points at one place', () => {
	const dotsOf = async (points: unknown[], column?: string) => {
		const map = await drawn(lines(points), { column });
		const dots = map.svg.matchAll(
			/h0" stroke="(#\w+)" stroke-width="([\d.]+)"><title>([^<]+)<\/title>/g,
		);
		const all = [...dots].map(([, color, width, title]) => ({
			color,
			width: Number(width),
			title,
		}));
		return { all, labels: textsOf(map), note: map.facts.note };
	};
	const many = (count: number, east: number, properties: IDataObject) =>
		Array.from({ length: count }, () => point(east, 50, properties));

	it('are one dot, whose area is their number, below smaller ones', async () => {
		const { all, labels, note } = await dotsOf([...many(1, 7, { a: 1 }), ...many(4, 8, { a: 1 })]);
		expect(all).toEqual([
			{ color: '#0072b2', width: 24, title: '4 points, among them:\na: 1' },
			{ color: '#0072b2', width: 12, title: 'a: 1' },
		]);
		expect(labels.slice(labels.indexOf('Points per dot'))).toEqual(['Points per dot', '1', '4']);
		expect(note).toBe('');
	});

	it('have the color of the largest number, whatever comes first or is missing', async () => {
		const classes = [1, 2, 3, 4, 5].map((size) => point(7, size, { size }));
		const mixed = [null, 1, 5, 2].map((size) => point(8, 3, { size }));
		const { all, labels } = await dotsOf([...classes, ...mixed], 'size');
		expect(all[0]).toMatchObject({ color: '#1f0c48', title: '4 points, among them:\nsize: 5' });
		expect(labels).toContain('Points per dot, colored by the largest value');
	});

	it('have the color of the most frequent text', async () => {
		const some = [...many(1, 7, { kind: 'b' }), ...many(3, 8, { kind: 'b' })];
		const { all, labels } = await dotsOf(
			[...some, ...many(1, 7, { kind: 'a' }), ...many(2, 7, { kind: 'c' })],
			'kind',
		);
		const colors = all.map(({ color }) => color);
		expect(colors[0]).not.toBe(colors[1]);
		expect(labels).toContain('Points per dot, colored by the most frequent value');
	});

	it('are those less than three quarters of a dot apart, at the scale of the map', async () => {
		// On a map from 0° to 10° north, a dot is 12 units wide, and a degree has 43.7 units.
		const countOf = async (north: number) => {
			const at = [0, 10, 5, 5 + north / 43.7].map((each) => point(0, each, { a: 1 }));
			return (await dotsOf(at)).all.length;
		};
		expect(await countOf(8.8)).toBe(3);
		expect(await countOf(9.2)).toBe(4);
	});

	it('are as small for many places of few features as for many points', async () => {
		const places = Array.from({ length: 40 }, (_, at) =>
			feature('MultiPoint', positions(`${at} 0, ${at} 1`), { a: 1 }),
		);
		expect((await drawn(lines(places))).svg).toContain('stroke-width="9"');
	});

	it('fit on the map, however many they are', async () => {
		const { all } = await dotsOf([...many(900, 7, { a: 1 }), ...many(9, 8, { a: 1 })]);
		expect(all.map(({ width }) => width)).toEqual([26, 7]);
	});
});

it('long titles and labels go on in a second line, and very long ones are cut', async () => {
	const long = 'A rather long name of a category that does not fit';
	const { svg } = await drawn(
		lines([point(7, 50, { a: `${long}, ${long}` }), point(8, 50, { a: `${long} `.repeat(9) })]),
		{ column: 'a', title: `${long}, ${long}` },
	);
	const at = (x: number) => findAll(svg, new RegExp(`<text x="${x}"[^>]*>([^<]*)<`, 'g'));
	expect(at(16).slice(0, 3).join(' ')).toContain(`${long}, ${long}`);
	expect(at(48).some((text) => text.endsWith('…'))).toBe(true);
	expect(at(48).join(' ')).toContain(`${long}, ${long}`);
});

it('a label in decomposed letters, each of several characters, fits as well', async () => {
	const a = 'ṣṭḍ'.normalize('NFD').repeat(60);
	const { svg } = await drawn(lines([point(7, 50, { a })]), { column: 'a' });
	const labels = findAll(svg, /<text x="48"[^>]*>([^<]*)</g);
	expect(labels.at(-1)).toMatch(/…$/);
	for (const label of labels) expect(measureText(label, 24)).toBeLessThanOrEqual(784 - 16 - 48);
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

	it('are as large as the window of a browser, in its middle and never small, and as wide as a phone', async () => {
		const { page } = await drawn(lines([point(7, 50)]));
		// What reaches beyond the picture would show beside it, if its shape were not that of its box.
		const [columns, rows] = findAll(page, /viewBox="0 0 (\d+ \d+)"/g)[0]
			.split(' ')
			.map(Number);
		const width = `min(100%, max(784px, (100vh - 2rem) * ${columns / rows}))`;
		expect(page).toContain(`svg { display: block; margin: auto; width: ${width}; height: auto; }`);
		expect(page).toContain('@media (max-width: 600px) { body { margin: 0; } }');
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
