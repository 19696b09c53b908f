import fc from 'fast-check';

import { isAbove, plainDecimal } from '../../../nodes/Wherobots/service/json';
import { isFinal, noCost, readCostEntry } from '../../../nodes/Wherobots/service/costs';

const digits = (min: number, max: number) =>
	fc
		.array(fc.integer({ min: 0, max: 9 }), { minLength: min, maxLength: max })
		.map((each) => each.join(''));
const plain = fc
	.tuple(fc.constantFrom('', '-', '+'), digits(1, 30), fc.option(digits(1, 30), { nil: undefined }))
	.map(
		([sign, whole, fraction]) => `${sign}${whole}${fraction === undefined ? '' : `.${fraction}`}`,
	);

/** A decimal as an exact pair: an integer, and its number of digits after the point. */
function exact(text: string): [bigint, number] {
	const [mantissa, exponent = '0'] = text.toLowerCase().split('e');
	const [whole, fraction = ''] = mantissa.replace(/^[+-]/, '').split('.');
	const value = BigInt(whole + fraction || '0');
	return [mantissa.startsWith('-') ? -value : value, fraction.length - Number(exponent)];
}

/** Whether two decimals are the same number. */
function areEqual(one: string, other: string): boolean {
	const [[a, places], [b, otherPlaces]] = [exact(one), exact(other)];
	const common = Math.max(places, otherPlaces);
	return a * 10n ** BigInt(common - places) === b * 10n ** BigInt(common - otherPlaces);
}

describe('a decimal text', () => {
	it('stays as it is, down to the last zero', () => {
		fc.assert(fc.property(plain, (text) => expect(plainDecimal(text)).toBe(text)));
	});

	it('loses its exponent and nothing else', () => {
		fc.assert(
			fc.property(
				plain,
				fc.integer({ min: -40, max: 40 }),
				fc.constantFrom('e', 'E'),
				(text, power, e) => {
					const result = plainDecimal(`${text}${e}${power}`);
					expect(result).toMatch(/^[+-]?(0|[1-9]\d*)(\.\d+)?$/);
					expect(areEqual(String(result), `${text}e${power}`)).toBe(true);
				},
			),
		);
	});

	it.each([
		['1.5E-7', '0.00000015'],
		['0E-10', '0.0000000000'],
		['12E+2', '1200'],
		['0012E+1', '120'],
		['000.05E1', '0.5'],
		['.5', '.5'],
	])('%s is read as %s', (text, expected) => expect(plainDecimal(text)).toBe(expected));

	it.each(['', '.', '-', 'NaN', 'Infinity', '1,5', '1e', 'e5', '0x10', '1e9999', ' 1', 1.5])(
		'%j is not one',
		(value) => expect(plainDecimal(value)).toBeUndefined(),
	);
});

it('reads at most a cost or a reason from anything, and never throws', () => {
	fc.assert(
		fc.property(fc.anything(), (entry) => {
			const read = readCostEntry(entry);
			expect(read === undefined || 'cost' in read || 'reason' in read).toBe(true);
		}),
	);
	expect(readCostEntry({ cost: 1.5, status: 'final' })).toBeUndefined();
	expect(readCostEntry({ cost: '1.50', status: 'thawing' })).toMatchObject({
		cost: { cost: '1.50', currency: 'USD', spatialUnits: null, costStatus: 'thawing' },
	});
});

it('a cost has everything that the service says about it', () => {
	const entry = {
		cost: '1.50',
		currency: 'EUR',
		spatial_units: '2e1',
		status: 'final',
		settled_at: 'then',
		last_evaluated_at: 'now',
	};
	const read = readCostEntry(entry) as { cost: never };
	expect(read).toEqual({
		cost: {
			cost: '1.50',
			currency: 'EUR',
			costRounded: 1.5,
			spatialUnits: '20',
			spatialUnitsRounded: 20,
			costStatus: 'final',
			settledAt: 'then',
			lastEvaluatedAt: 'now',
			costSource: 'billing',
		},
	});
	expect(isFinal(read.cost)).toBe(true);
	expect(readCostEntry({ ...entry, settled_at: 7, status: 'live' })).toMatchObject({
		cost: { settledAt: null },
	});
	expect(isFinal({ costStatus: 'live' } as never)).toBe(false);
});

it('an entry without a cost has a reason, or is nothing', () => {
	expect(readCostEntry({ reason: 'not_found', cost: '1', status: 'final' })).toEqual({
		reason: 'not_found',
	});
	expect(readCostEntry({ reason: 7 })).toBeUndefined();
	expect(readCostEntry({ cost: '1', status: 7 })).toBeUndefined();
	expect(noCost('why')).toEqual({
		...{ cost: null, costRounded: null, costStatus: null, costProblem: 'why' },
	});
});

it('a decimal text is above another one exactly when its number is greater', () => {
	const scaled = fc.tuple(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.nat({ max: 30 }));
	const textOf = ([value, places]: [bigint, number]) => {
		const digits = String(value < 0n ? -value : value).padStart(places + 1, '0');
		const at = digits.length - places;
		return `${value < 0n ? '-' : ''}${digits.slice(0, at)}.${digits.slice(at)}`;
	};
	fc.assert(
		fc.property(scaled, scaled, (one, other) => {
			const above = one[0] * 10n ** BigInt(other[1]) > other[0] * 10n ** BigInt(one[1]);
			expect(isAbove(textOf(one), textOf(other))).toBe(above);
		}),
	);
	expect(isAbove('+0.30000000000000000001', '.3')).toBe(true);
	expect(isAbove('10', '9.')).toBe(true);
	expect(isAbove('5', '5.000')).toBe(false);
});
