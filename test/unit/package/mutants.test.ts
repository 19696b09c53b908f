import { DECLARATIONS, PARTS } from '../../mutants/parts';
import { filesOf, sampleOf } from '../../mutants/sample';

it('every source belongs to exactly one part, unless it only declares what the editor shows', () => {
	const named = [DECLARATIONS, ...Object.values(PARTS).map(({ sources }) => sources)];
	const all = filesOf(['**/*', '../../credentials/*']);
	expect(named.flatMap(filesOf).sort()).toEqual(all.sort());
});

it('a sample is the same all day, and comes by every part within some weeks', () => {
	expect(sampleOf('2026-11-23')).toEqual(sampleOf('2026-11-23'));
	const days = Array.from({ length: 28 }, (_, at) => sampleOf(`2027-02-${at + 1}`));
	expect([...new Set(days.flatMap(Object.keys))].sort()).toEqual(Object.keys(PARTS).sort());
	for (const ranges of days.flatMap(Object.values)) {
		expect(ranges).toEqual(ranges.map(() => expect.stringMatching(/\.ts:\d+-\d+$/)));
		expect(ranges.length).toBeGreaterThan(0);
	}
});
