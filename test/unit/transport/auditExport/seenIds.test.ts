import { SeenIds } from '../../../../nodes/Wherobots/transport/auditExport/seenIds';

const id = (index: number) => Buffer.from(`bulk-${String(index).padStart(12, '0')}`);

it('tells similar IDs apart, and knows all of them again after it has grown', () => {
	const seen = new SeenIds();
	// More than the first table has room for.
	const count = 5_000;
	const all = Array.from({ length: count }, (_, index) => id(index));
	expect(all.filter((each) => !seen.add(each))).toEqual([]);
	expect(all.filter((each) => seen.add(each))).toEqual([]);
	expect(seen.add(id(count))).toBe(true);
});

it('takes many at once, some of them twice', () => {
	const seen = new SeenIds();
	const bytes = Buffer.from('|abc|de|abc||de|x|');
	const bounds = [1, 4, 5, 7, 8, 11, 12, 12, 13, 15, 16, 17];
	expect([...seen.addAll(bytes, bounds)]).toEqual([1, 1, 0, 1, 0, 1]);
	expect([...seen.addAll(bytes, bounds)]).toEqual([0, 0, 0, 1, 0, 0]);
	expect([...seen.addAll(bytes, [])]).toEqual([]);
});

it('grows for as many as come at once', () => {
	const seen = new SeenIds();
	const bytes = Buffer.concat(Array.from({ length: 15_000 }, (_, index) => id(index)));
	const bounds = Array.from({ length: 15_000 }, (_, index) => [index * 17, index * 17 + 17]).flat();
	expect(seen.addAll(bytes, bounds).every(Boolean)).toBe(true);
	expect(seen.addAll(bytes, bounds).some(Boolean)).toBe(false);
});
