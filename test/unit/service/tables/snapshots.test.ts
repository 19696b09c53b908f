import {
	findAppendsBetween,
	findSnapshotId,
} from '../../../../nodes/Wherobots/service/tables/catalogs';

/** A table whose snapshots follow one another, numbered from 1. */
const history = (...operations: string[]) => ({
	snapshots: operations.map((operation, at) => ({
		'snapshot-id': String(at + 1),
		'parent-snapshot-id': at === 0 ? null : String(at),
		summary: { operation },
	})),
});

describe('what was appended', () => {
	it('does not include what came with other changes, which are named', () => {
		const found = findAppendsBetween(
			history('append', 'overwrite', 'delete', 'append', ''),
			'1',
			'5',
		);
		expect(found).toEqual({
			versions: [{ at: '4', added: ['4'] }],
			others: ['2 (overwrite)', '3 (delete)', '5 ()'],
		});
	});

	it.each([
		['appended', 'append,append', '2001'],
		['compacted', 'append,replace', '202'],
	])('ends where a statement would be too long: %s', (_, operations, readableUntil) => {
		const all = Array<string>(50_000).fill(operations).join().split(',');
		const table = history(...all);
		const begin = performance.now();
		expect(findAppendsBetween(table, '1', String(all.length))).toMatchObject({ readableUntil });
		expect(performance.now() - begin).toBeLessThan(5_000);
		const read = findAppendsBetween(table, '1', readableUntil);
		expect(read?.readableUntil).toBeUndefined();
		expect(JSON.stringify(read?.versions).length).toBeLessThan(30_000);
	});

	it('is unknown where the history does not lead back, or in a circle', () => {
		expect(findAppendsBetween(history('append', 'append'), '3', '2')).toBeUndefined();
		expect(findAppendsBetween(history('append'), '0', '1')).toBeUndefined();
		expect(findAppendsBetween({ snapshots: null }, '1', '2')).toBeUndefined();
		const circle = [{ 'snapshot-id': '2', 'parent-snapshot-id': '2' }];
		expect(findAppendsBetween({ snapshots: circle }, '1', '2')).toBeUndefined();
	});
});

it('a name that every object has is no tag', () => {
	expect(findSnapshotId({}, 'constructor')).toBe('constructor');
});
