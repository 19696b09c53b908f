/** Values inside lists, maps and structures: each is checked as that of a column is, and arrives as given. */
import type { IDataObject } from 'n8n-workflow';

import type { FieldDraft } from '../../../sandbox/model/catalogs';
import { type NodeOptions, ok, suiteWithSandbox } from '../../harness/suite';
import { at } from '../parameters';

const list = (element: unknown) => ({ type: 'list', element, 'element-required': false });
const map = (key: string, value: unknown) => ({ type: 'map', key, value });
const struct = (fields: Record<string, unknown>, ...required: string[]) => ({
	type: 'struct',
	fields: Object.entries(fields).map(([name, type]) => ({
		...{ name, type },
		required: required.includes(name),
	})),
});

const COLUMNS: Record<string, unknown> = {
	Id: 'long',
	longs: list('long'),
	prices: map('int', 'decimal(10, 2)'),
	spot: struct({ a: 'int', b: 'string', seen: 'timestamptz' }, 'a'),
	tags: list(struct({ size: 'int', days: list('date') })),
};

const suite = suiteWithSandbox();

beforeEach(() => {
	const { catalogs } = suite.store;
	const fields = Object.entries(COLUMNS).map(([name, type]) => ({ name, type }) as FieldDraft);
	catalogs.addTable(catalogs.get('cat-org') as never, 'surveys', { name: 'nested', fields });
	suite.sql.answer(/^INSERT/, {});
});

const insert = async (input: IDataObject[], options: IDataObject = {}, more: NodeOptions = {}) => {
	const place = at('cat-org', 'surveys', 'nested');
	const node = { resource: 'table', operation: 'insertRows', ...place, options } as never;
	return await suite.run(node, { input, ...more });
};

/** The values of the row that was sent, by their columns. */
async function sent(item: IDataObject): Promise<unknown[]> {
	ok(await insert([item], {}, { timezone: 'America/Sao_Paulo' }));
	const { text } = suite.sql.taken().at(-1) ?? { text: '' };
	const values = text.replace(/^.* FROM VALUES \(|\) AS v\(.*$/g, '');
	return values.split(', ').map((value) => {
		const [, hex] = /^CAST\(X'(\w+)' AS STRING\)$/.exec(value) ?? [];
		return hex === undefined ? value : JSON.parse(Buffer.from(hex, 'hex').toString());
	});
}

it.each<[IDataObject, number, unknown]>([
	// As Execute Query returns it.
	[{ longs: ['617700169958293503'] }, 1, ['617700169958293503']],
	[{ longs: '[617700169958293503, null]' }, 1, ['617700169958293503', null]],
	[{ prices: { 7: '1.50', 8: null } }, 2, { m0: '7', m1: '1.50' }],
	[{ prices: '{"7": 12345678.10}' }, 2, [{ m0: '7', m1: '12345678.10' }]],
	[{ spot: { a: 1, seen: '2026-01-30 12:00:00' } }, 3, { m2: '2026-01-30T15:00:00Z' }],
	[{ spot: { a: 1, b: 'it\'s "é"' } }, 3, [{ m0: '1', m1: 'it\'s "é"', m2: null }]],
	[{ tags: [{ size: 1, days: ['2026-01-31'] }] }, 4, [[{ m0: '1', m1: ['2026-01-31'] }]]],
])('sends %j with all digits, in the time zone of the workflow', async (item, index, value) => {
	const values = await sent(item);
	expect(JSON.stringify(values[index])).toContain(JSON.stringify(value).slice(1, -1));
});

it('turns texts into values by the same casts at every depth', async () => {
	await sent({ Id: 1 });
	const [{ text }] = suite.sql.taken();
	expect(text).toContain(
		"transform(from_json(CAST(c4 AS STRING), 'ARRAY<ARRAY<STRUCT<m0: STRING, m1: ARRAY<STRING>>>>', map('mode', 'FAILFAST')), x0 -> transform(x0, x1 -> named_struct('size', CAST(x1.m0 AS INT), 'days', transform(x1.m1, x2 -> CAST(x2 AS DATE))))[0])",
	);
	expect(text).toContain('x0 -> struct(CAST(x0.m0 AS INT), CAST(x0.m1 AS DECIMAL(10, 2)))');
});

it.each<[IDataObject, string]>([
	[{ longs: [1, 1.5] }, 'has the value 1.5 for longs[1], whose type is whole number (BIGINT)'],
	[{ longs: ['9223372036854775808'] }, 'has the value "9223372036854775808" for longs[0]'],
	[{ longs: [9007199254740992] }, 'has a number for longs[0] that n8n cannot hold exactly'],
	[{ longs: [''] }, 'has the value "" for longs[0]'],
	[{ longs: { a: 1 } }, 'has the value {"a":1} for longs, whose type is list'],
	[{ longs: '1' }, 'has the value "1" for longs'],
	[{ longs: '[1' }, 'has the value "[1" for longs'],
	[{ prices: { x: 1 } }, 'has the value "x" for a key of prices, whose type is whole number (INT)'],
	[{ prices: { 7: 1.255 } }, 'has the value 1.255 for prices["7"], whose type is decimal'],
	[{ prices: { 7: 1, '+7': 2 } }, 'has the key "+7" twice in prices'],
	[{ prices: [1] }, 'has the value [1] for prices, whose type is object'],
	[{ spot: { a: 1, bb: 'x' } }, 'has "bb" in spot, which is not a member of this structure'],
	[{ spot: { A: 1 } }, 'has "A" in spot, which is not a member of this structure'],
	[{ spot: { b: 'x' } }, 'has no value for spot.a, which must have one'],
	[{ spot: { a: 1, b: { c: 1 } } }, 'has an object for spot.b, whose type is text'],
	[{ spot: { a: 1, b: '\ud800' } }, 'for spot.b'],
	[{ spot: { a: 1, seen: '2026-01-30T12:00:00.1234567Z' } }, 'for spot.seen'],
	[{ tags: [{}, null, {}, { size: 'x' }] }, 'has the value "x" for tags[3].size'],
	[{ tags: [{ days: ['2026-02-30'] }] }, 'has the value "2026-02-30" for tags[0].days[0]'],
])('refuses %j, and names item and place', async (item, message) => {
	const { error } = await insert([{ Id: 1 }, item], { ignoreUnknownFields: true });
	expect(error?.message).toContain(message);
	expect(error?.context).toMatchObject({ itemIndex: 1 });
	expect(suite.requests.of('createSqlSession')).toEqual([]);
});

it('says which members a structure has', async () => {
	const { error } = await insert([{ spot: { a: 1, bb: 'x' } }]);
	expect(error?.description).toContain('Its members are a, b, seen.');
});

it.each<[IDataObject, string]>([
	[{ ID: 1, longs: [] }, 'has "ID", which is not a column of this table'],
	[{ other: 1 }, 'has no column of this table'],
	[{}, 'has no column of this table'],
])('makes no row of %j where unknown fields are ignored', async (item, message) => {
	const { error } = await insert([{ Id: 1 }, item], { ignoreUnknownFields: true });
	expect(error?.message).toContain(message);
	expect(error?.description).toContain('Its columns are Id, longs, prices, spot, tags.');
	expect(error?.description).not.toContain('turn on');
});
