import fc from 'fast-check';

import { readGeometry } from '../../../../nodes/Wherobots/service/sql/geometry';
import { slippedWkt, validWkt } from '../../../support/wkt';

describe('WKT', () => {
	it('of every type is taken as it is, however it is written', () => {
		fc.assert(
			fc.property(validWkt, (wkt) => {
				expect(readGeometry(wkt)).toEqual({ wkt });
				expect(readGeometry(`SRID=3857;${wkt}`)).toEqual({ wkt, srid: 3857 });
			}),
		);
	});

	it('with a slip is taken as it is or refused, and never ends in another way', () => {
		fc.assert(
			fc.property(slippedWkt, (wkt) => {
				const { problem = 'a', wkt: read } = readGeometry(wkt);
				expect(problem).toMatch(/^(a|A|After|Its) ?/);
				expect(read).toBe(wkt.trim());
			}),
		);
	});
});
