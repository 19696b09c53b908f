/** Insert or Update Rows as a whole: random tables, keys, NULLs and names, against a model of the rows. */
import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { at } from '../engine/actions/parameters';
import type { NodeOptions } from '../engine/harness';
import { suiteWithFiles } from './files';
import { isSame, sqlOf, textSql, ZONE, type Type } from './nested';
import { describeWithSpark } from './suite';

const WORLDS = Number(process.env.N8N_NODES_WHEROBOTS_UPSERTS ?? 40);

/** Types of keys: different values, each in the ways in which people write it. */
const KEYS: Record<string, unknown[][]> = {
	int: [[7, '7', '07', '+7'], [-8, '-8'], [0, '0', '-0'], [2_147_483_647]],
	long: [['9007199254740993'], ['9007199254740992'], [1, '1'], ['-1', -1]],
	boolean: [
		[true, 'true', 1, 'yes'],
		[false, 'false', 'No', 0],
	],
	string: [[''], [' '], ["it's `a` \n"], ['A'], ['a'], ['NULL'], ['ä'], ['a\u0308']],
	date: [['1950-01-31'], ['9999-12-31'], ['2026-02-01', '2026-02-01T00:00:00']],
	timestamp: [['2026-01-31T09:00:00.000001'], ['2026-01-31T09:00:00', '2026-01-31 09:00:00.000']],
	timestamptz: [
		['2026-01-31T09:00:00.000001Z'],
		['2026-01-31T09:00:00Z', '2026-01-31T10:00:00+01:00', '2026-01-31 06:00:00'],
	],
	'decimal(38, 20)': [
		['123456789012345678.00000000000000000001'],
		['1.5', 1.5, '1.50', '15e-1'],
		[0, '0', '-0.0', '0.00'],
	],
	binary: [['AQI=', 'AQI'], ['////']],
};

/** No two differ in case only. */
const NAMES = ['__proto__', 'select', 'a `b` c', 'Größe', 'order by', 'v.w', 'constructor', 'c0'];

type Value = string | null | undefined;

/** A key, by which value of each column and how it is written; and the two values, where there are any. */
interface Item {
	keys: Array<{ value: number; spelling: number } | null>;
	values: [Value, Value];
}

interface Step {
	items: Item[];
	how: { ifMatched: 'update' | 'leave'; ifMissing: 'insert' | 'leave' | 'fail' };
}

const value: fc.Arbitrary<Value> = fc.constantFrom('', 'x', "it's", 'NULL', null, undefined);
const part = fc.record({ value: fc.nat(7), spelling: fc.nat(3) });

const item: fc.Arbitrary<Item> = fc.record({
	keys: fc.tuple(
		fc.option(part, { freq: 40 }),
		part.map((one) => ({ ...one, value: one.value % 2 })),
	),
	values: fc.tuple(value, value),
});

const step: fc.Arbitrary<Step> = fc.record({
	items: fc.array(item, { minLength: 1, maxLength: 5 }),
	how: fc.constantFrom<Step['how'][]>(
		{ ifMatched: 'update', ifMissing: 'insert' },
		{ ifMatched: 'update', ifMissing: 'leave' },
		{ ifMatched: 'update', ifMissing: 'fail' },
		{ ifMatched: 'leave', ifMissing: 'insert' },
	),
});

const world = fc.record({
	types: fc.array(fc.constantFrom(...Object.keys(KEYS)), { minLength: 1, maxLength: 2 }),
	names: fc.shuffledSubarray(NAMES, { minLength: 4, maxLength: 4 }),
	steps: fc.array(step, { minLength: 3, maxLength: 3 }),
});

/** The rows by their keys. */
type Rows = Map<string, [Value, Value]>;

/** What a step makes of the rows; undefined where it changes nothing, with an error. */
function follow(rows: Rows, { items, how }: Step, keyOf: (item: Item) => string | undefined) {
	const after: Rows = new Map(rows);
	const seen = new Set<string>();
	for (const each of items) {
		const [key, { values }] = [keyOf(each), each];
		if (key === undefined || seen.has(key)) return undefined;
		const isEmpty = values.every((one) => one === undefined);
		if (how.ifMissing !== 'insert' && isEmpty) return undefined;
		seen.add(key);
		const before = rows.get(key);
		if (!before && how.ifMissing === 'fail') return undefined;
		if (!before && how.ifMissing === 'insert') {
			after.set(key, [values[0] ?? null, values[1] ?? null]);
		} else if (before && how.ifMatched === 'update') {
			const kept = (at: 0 | 1) => (values[at] === undefined ? before[at] : values[at]);
			after.set(key, [kept(0), kept(1)]);
		}
	}
	return after;
}

describeWithSpark('Insert or Update Rows', () => {
	const { suite, rowsOf, create } = suiteWithFiles();
	const { seed = 7 } = fc.readConfigureGlobal() as { seed?: number };

	it.each(fc.sample(world, { numRuns: WORLDS, seed }).map((each, number) => ({ ...each, number })))(
		'leaves the rows that the items say: world $number, $types, $names',
		async (given) => {
			const { types, names, steps } = given;
			const [keyNames, valueNames] = [names.slice(0, types.length), names.slice(2)];
			const table = await create(
				Object.fromEntries([
					...keyNames.map((name, of) => [name, [sqlOf(types[of]), types[of]]] as const),
					...valueNames.map((name) => [name, ['STRING', 'string']] as const),
				]) as never,
			);
			const spellings = (of: number, { value: which }: { value: number }) =>
				KEYS[types[of]][which % KEYS[types[of]].length];
			const keyOf = ({ keys }: Item) => {
				const own = keys.slice(0, types.length);
				if (own.includes(null)) return undefined;
				return JSON.stringify(own.map((key, of) => key && spellings(of, key)[0]));
			};
			const toInput = ({ keys, values }: Item): IDataObject => {
				const entries: Array<[string, unknown]> = keyNames.map((name, of) => {
					const key = keys[of];
					const texts = key ? spellings(of, key) : [];
					return [name, key ? texts[key.spelling % texts.length] : null];
				});
				valueNames.forEach((name, of) => {
					if (values[of] !== undefined) entries.push([name, values[of]]);
				});
				// `__proto__` as a name like any other.
				const json = entries.map(
					([name, one]) => `${JSON.stringify(name)}: ${JSON.stringify(one)}`,
				);
				return JSON.parse(`{${json.join()}}`) as IDataObject;
			};
			const upsert = async ({ items, how }: Step) => {
				const row = { mappingMode: 'autoMapInputData', value: null, matchingColumns: keyNames };
				const node = {
					resource: 'table',
					operation: 'upsertRows',
					...at('ice', 'db', table),
					...how,
				};
				const options = { input: items.map(toInput), timezone: ZONE } as NodeOptions;
				return await suite.run({ ...node, row } as unknown as INodeParameters, options);
			};
			const quoted = (name: string) => `\`${name.replaceAll('`', '``')}\``;
			const columns = [
				...keyNames.map((name, of) => `${textSql(types[of] as Type, quoted(name))} AS k${of}`),
				...valueNames.map((name, of) => `${quoted(name)} AS v${of}`),
			];
			const inTable = async () => await rowsOf(`SELECT ${columns.join(', ')} FROM ice.db.${table}`);

			let expected: Rows = new Map();
			for (const each of steps) {
				const after = follow(expected, each, keyOf);
				// The same items again change nothing, but for those that have to be missing.
				for (const isAgain of [false, true]) {
					const { error } = await upsert(each);
					const what = { each, isAgain, error: error?.message };
					expect([what, error === undefined]).toEqual([what, after !== undefined]);
					expected = after ?? expected;
					const found = await inTable();
					const left = [...expected].filter(
						([key, [one, other]]) =>
							!found.some((row) => {
								const keys = JSON.parse(key) as unknown[];
								const isRow = keys.every((own, of) =>
									isSame(types[of] as Type, own, row[`k${of}`] as string),
								);
								return isRow && row.v0 === one && row.v1 === other;
							}),
					);
					expect({ what, left, found, count: found.length }).toEqual({
						...{ what, left: [], found, count: expected.size },
					});
				}
			}
		},
	);
});
