import fc from 'fast-check';

import { isAbove, toPlainDecimal } from '../../../../nodes/Wherobots/service/json';
import { parseCostEntry } from '../../../../nodes/Wherobots/service/runs/costs';
import { forAll, USUALLY } from '../../../support/forAll';

const digits = (min: number, max: number) =>
	fc
		.array(fc.integer({ min: 0, max: 9 }), { minLength: min, maxLength: max })
		.map((each) => each.join(''));
const plain = fc
	.tuple(fc.constantFrom('', '-', '+'), digits(1, 30), fc.option(digits(1, 30), { nil: undefined }))
	.map(
		([sign, whole, fraction]) => `${sign}${whole}${fraction === undefined ? '' : `.${fraction}`}`,
	);

/** Decimals as integers of one scale. */
function onOneScale(...texts: string[]): bigint[] {
	const parts = texts.map((text) => {
		const [mantissa, exponent = '0'] = text.toLowerCase().split('e');
		const [whole, fraction = ''] = mantissa.split('.');
		return {
			digits: BigInt(whole.replace('+', '') + fraction),
			places: fraction.length - Number(exponent),
		};
	});
	const most = Math.max(...parts.map(({ places }) => places));
	return parts.map(({ digits, places }) => digits * 10n ** BigInt(most - places));
}

describe('a decimal text', () => {
	it('stays as it is, down to the last zero', async () =>
		await forAll([plain], USUALLY, (text) => expect(toPlainDecimal(text)).toBe(text)));

	it('loses its exponent and nothing else', async () =>
		await forAll(
			[plain, fc.integer({ min: -40, max: 40 }), fc.constantFrom('e', 'E')],
			USUALLY,
			(text, power, e) => {
				const result = toPlainDecimal(`${text}${e}${power}`);
				expect(result).toMatch(/^[+-]?(0|[1-9]\d*)(\.\d+)?$/);
				const [left, right] = onOneScale(String(result), `${text}e${power}`);
				expect(left).toBe(right);
			},
		));

	it.each([
		['1.5E-7', '0.00000015'],
		['0E-10', '0.0000000000'],
		['12E+2', '1200'],
		['0012E+1', '120'],
		['000.05E1', '0.5'],
		['.5', '.5'],
	])('%s is read as %s', (text, expected) => expect(toPlainDecimal(text)).toBe(expected));

	it.each(['', '.', '-', 'NaN', 'Infinity', '1,5', '1e', 'e5', '0x10', '1e9999', ' 1', 1.5])(
		'%j is not one',
		(value) => expect(toPlainDecimal(value)).toBeUndefined(),
	);
});

it('reads at most a cost or a reason from anything, and never throws', async () => {
	await forAll([fc.anything()], USUALLY, (entry) => {
		const read = parseCostEntry(entry);
		expect(read === undefined || 'cost' in read || 'reason' in read).toBe(true);
	});
	expect(parseCostEntry({ cost: 1.5, status: 'final' })).toBeUndefined();
	expect(parseCostEntry({ cost: '1.50', status: 'thawing' })).toMatchObject({
		cost: { cost: '1.50', currency: 'USD', spatialUnits: null, costStatus: 'thawing' },
	});
});

it('a decimal text is above another one exactly when its number is greater', async () => {
	await forAll([plain, plain], USUALLY, (one, other) => {
		const [left, right] = onOneScale(one, other);
		expect(isAbove(one, other)).toBe(left > right);
	});
	expect(isAbove('+0.30000000000000000001', '.3')).toBe(true);
	expect(isAbove('10', '9.')).toBe(true);
	expect(isAbove('5', '5.000')).toBe(false);
});
