/** WKT of every type, as programs and people write it. */
import fc from 'fast-check';

const space = fc.constantFrom('', ' ', '  ', '\n', '\t');
const gap = fc.constantFrom(' ', '   ', '\t', '\r\n');

/** In degrees, in every notation. */
const number = fc.oneof(
	fc.integer({ min: -90, max: 90 }).map(String),
	fc.double({ min: -90, max: 90, noNaN: true }).map(String),
	fc.double({ min: -90, max: 90, noNaN: true }).map((value) => value.toExponential(3)),
	fc.constantFrom('+1', '-0', '.5', '-.25', '7.', '1E1', '1.e+01', '007', '0e-999'),
);

const keyword = (word: string) =>
	fc.constantFrom(word, word.toLowerCase(), word[0] + word.slice(1).toLowerCase());

const joined = (...parts: Array<fc.Arbitrary<string>>) =>
	fc.tuple(...parts).map((texts) => texts.join(''));

/** In parentheses, separated by commas. */
const listed = (parts: fc.Arbitrary<string[]>) =>
	fc
		.tuple(parts, space, space)
		.map(([texts, before, after]) => `(${before}${texts.join(`${after},${before}`)}${after})`);

const listOf = (part: fc.Arbitrary<string>, minLength = 1) =>
	listed(fc.array(part, { minLength, maxLength: minLength + 2 }));

const orEmpty = (part: fc.Arbitrary<string>) =>
	fc.oneof({ weight: 9, arbitrary: part }, { weight: 1, arbitrary: keyword('EMPTY') });

function bodyOf(type: string, dimensions: string): fc.Arbitrary<string> {
	const others = fc.oneof({ weight: 9, arbitrary: number }, fc.constantFrom('NaN', 'nan'));
	const more = Array.from(dimensions, () => joined(gap, others));
	const position = joined(number, gap, number, ...more);
	const point = orEmpty(listed(position.map((each) => [each])));
	const path = orEmpty(listOf(position, 2));
	const ring = listed(
		fc
			.array(position, { minLength: 3, maxLength: 5 })
			.map((positions) => [...positions, positions[0]]),
	);
	const polygon = orEmpty(
		fc
			.tuple(ring, fc.array(orEmpty(ring), { maxLength: 2 }))
			.chain(([shell, holes]) => listed(fc.constant([shell, ...holes]))),
	);
	switch (type) {
		case 'POINT':
			return point;
		case 'LINESTRING':
			return path;
		case 'POLYGON':
			return polygon;
		case 'MULTIPOINT':
			return fc.oneof(listOf(point), listOf(position));
		case 'MULTILINESTRING':
			return listOf(path);
		default:
			return listOf(polygon);
	}
}

const dimensions = fc.constantFrom('', '', 'Z', 'M', 'ZM');

const simple = fc
	.tuple(
		fc.constantFrom(
			...['POINT', 'LINESTRING', 'POLYGON', 'MULTIPOINT', 'MULTILINESTRING', 'MULTIPOLYGON'],
		),
		dimensions,
	)
	.chain(([type, of]) =>
		joined(
			keyword(type),
			of === '' ? fc.constant('') : joined(space, keyword(of)),
			gap,
			orEmpty(bodyOf(type, of)),
		),
	);

const inCollection = (part: fc.Arbitrary<string>) =>
	joined(keyword('GEOMETRYCOLLECTION'), gap, orEmpty(listOf(part)));

/** Geometries in degrees that are as the standard wants them. */
export const validWkt = fc.oneof(
	{ weight: 6, arbitrary: simple },
	inCollection(fc.oneof(simple, inCollection(simple))),
);

/** The same after one slip: a token that is missing, twice, at another place, or another one. */
export const slippedWkt = fc
	.tuple(validWkt, fc.nat(), fc.nat(), fc.constantFrom('', '(', ')', ',', ' 1', 'x', ' EMPTY', '.'))
	.map(([wkt, at, other, token]) => {
		const tokens = wkt.match(/[(),]|[^(),\s]+|\s+/g) ?? [];
		const kinds = [
			() => tokens.splice(at % tokens.length, 1, token),
			() => tokens.splice(at % tokens.length, 0, token),
			() => tokens.splice(at % tokens.length, 0, tokens[other % tokens.length]),
		];
		kinds[other % kinds.length]();
		return tokens.join('');
	});
