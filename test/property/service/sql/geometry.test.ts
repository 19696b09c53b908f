import fc from 'fast-check';

import { parseGeometry } from '../../../../nodes/Wherobots/service/sql/geometry';
import { forAll } from '../../../support/forAll';
import { runs } from '../../../support/runs';
import { validWkt } from '../../../support/wkt';

const often = { numRuns: runs(300, 5_000) };

describe('WKT', () => {
	it('of every type is taken as it is, however it is written', async () =>
		await forAll([validWkt], often, (wkt) => {
			expect(parseGeometry(wkt)).toEqual({ wkt });
			expect(parseGeometry(`SRID=3857;${wkt}`)).toEqual({ wkt, srid: 3857 });
		}));

	it('that is cut off, or lacks or repeats a parenthesis, is refused', async () =>
		await forAll([validWkt, fc.nat()], often, (wkt, at) => {
			const parentheses = [...wkt.matchAll(/[()]/g)];
			const { index = 0 } = parentheses[at % parentheses.length] ?? {};
			const [before, after] = [wkt.slice(0, index), wkt.slice(index + 1)];
			for (const wrong of [
				wkt.slice(0, at % wkt.length),
				before + after,
				before + wkt[index] + wkt[index] + after,
			]) {
				expect([wrong, typeof parseGeometry(wrong).problem]).toEqual([wrong, 'string']);
			}
		}));
});
