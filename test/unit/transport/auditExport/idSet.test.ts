import crypto from 'node:crypto';

import { IdSet, MAX_IDS } from '../../../../nodes/Wherobots/transport/auditExport/idSet';

describe('the IDs that came before', () => {
	it('are remembered while there are more and more of them', () => {
		const seen = new IdSet();
		const ids = Array.from({ length: 20_000 }, (_, index) => `0b6f1c1e-5b7d-4b0e-${index}`);
		expect(ids.filter((id) => !seen.add(id))).toEqual([]);
		expect(ids.filter((id) => seen.add(id))).toEqual([]);
	});

	it('are distinguished by length, order and every character', () => {
		const seen = new IdSet();
		const ids = ['a', 'aa', 'ab', 'ba', '\0', '\0\0', 'ä', '東京', 'a'.repeat(1_000)];
		expect(ids.map((id) => seen.add(id))).toEqual(ids.map(() => true));
		expect(ids.map((id) => seen.add(id))).toEqual(ids.map(() => false));
	});

	it.each([0, 1, 2, 3])('are distinguished by word %d of their hashes alone', (word) => {
		// A factor of 1 makes a word that does not depend on the order of the characters.
		for (let index = 0; index < 4; index++) {
			const factor = Buffer.from(Int32Array.of(index === word ? 0x5bd1e995 : 1).buffer);
			jest.spyOn(crypto, 'randomBytes').mockImplementationOnce(() => factor);
		}
		const seen = new IdSet();
		const ids = ['abc', 'acb', 'bac', 'bca', 'cab', 'cba'];
		expect(ids.filter((id) => !seen.add(id))).toEqual([]);
		expect(ids.filter((id) => seen.add(id))).toEqual([]);
	});

	it('may be part of a text; one that is empty never came before', () => {
		const seen = new IdSet();
		expect(seen.add('x,id,y', 2, 4)).toBe(true);
		expect(seen.add('id')).toBe(false);
		expect([seen.add(''), seen.add(''), seen.add('id', 1, 1)]).toEqual([true, true, true]);
	});

	it('are not more than a fixed number', () => {
		const seen = new IdSet();
		// As if so many had been added, which would take seconds.
		Object.assign(seen, { size: MAX_IDS - 1 });
		expect(seen.add('the last')).toBe(true);
		expect(() => seen.add('one more')).toThrow(
			/^More than 11,000,000 event IDs cannot be checked for duplicates: choose a shorter range/,
		);
	});
});
