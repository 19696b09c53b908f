/** Deduplication Key, with n8n's own helper on a store in place of its database. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { by } from '../../support/files';
import { ok } from '../harness';
import { forgetNotes, overwriteNextNotes } from '../harness/notes';
import { suiteWithTable, takeInserts } from './tables/tables';

const { suite, run, lose } = suiteWithTable();

beforeEach(forgetNotes);

const KEY = '={{ $json.order }}';
const input = [{ order: 'a' }];

describe.each([
	{
		endpoint: 'createApiKey',
		node: {
			resource: 'apiKey',
			operation: 'create',
			name: 'key',
			options: { deduplicationKey: KEY },
		},
	},
	{
		endpoint: 'runTask',
		node: {
			...{ resource: 'taskRun', operation: 'create', options: { deduplicationKey: KEY } },
			taskName: by('list', 'predict_mosaic_geometries_recipe'),
			inputsFrom: 'json',
			inputsJson: '{"aoi": "s3://sandbox-bucket/aoi.parquet", "text_prompt": ["roofs"]}',
		},
	},
] as const)('$endpoint', ({ endpoint, node }) => {
	const sent = () => suite.requests.of(endpoint).length;

	it('is sent once in two executions, and for each other key', async () => {
		const [first] = (await suite.run(node, { input })).json;
		expect(first).not.toHaveProperty('skipped');
		expect((await suite.run(node, { input })).json).toEqual([
			{ skipped: true, deduplicationKey: 'a' },
		]);
		await suite.run(node, { input: [{ order: 'b' }] });
		expect(sent()).toBe(2);
	});

	it.each([undefined, null, ' '])('is not sent, for no item, with the key %j', async (order) => {
		const { error } = await suite.run(node, { input: [...input, { order } as never] });
		expect(error?.message).toBe("'Deduplication Key' must not be empty");
		expect(sent()).toBe(0);
	});

	it('is sent by the next execution when it certainly was not carried out', async () => {
		suite.fails(endpoint, 403, { times: 1 });
		expect((await suite.run(node, { input })).error).toBeDefined();
		expect((await suite.run(node, { input })).error).toBeUndefined();
	});

	it('is not sent when it may have been carried out, and the error says so each time', async () => {
		suite.fails(endpoint, { kind: 'reset', when: 'after' }, { times: 1 });
		await suite.run(node, { input });
		const before = sent();
		for (let executions = 0; executions < 2; executions++) {
			const { error } = await suite.run(node, { input });
			expect(error?.message).toContain('not certain whether an earlier execution did this');
			expect(error?.message).toContain('"a"');
		}
		expect(sent()).toBe(before);
	});
});

describe('a statement', () => {
	const query = (text: string, more = {}) => ({
		...{ resource: 'sql', operation: 'executeQuery', query: text },
		...{ readOnly: false, options: { deduplicationKey: KEY }, ...more },
	});

	it('needs a key if it changes something', async () => {
		suite.sql.answer(/^SELECT/, { rows: [{ one: 1 }] });
		const { error } = await suite.run(query('DELETE FROM t'));
		expect(error?.message).toBe("'Deduplication Key' must not be empty");
		expect((await suite.succeeds(query('SELECT 1'))).json).toEqual([{ one: 1 }]);
		expect(suite.sql.taken()).toHaveLength(1);
	});

	it('that changes something is executed once in two executions', async () => {
		suite.sql.answer(/^DELETE/, {});
		for (const skipped of [undefined, true]) {
			const { json } = await suite.succeeds(query('DELETE FROM t'), { input });
			expect(json[0].skipped).toBe(skipped);
		}
		expect(suite.sql.taken()).toHaveLength(1);
	});

	it('is executed once though another execution overwrites its notes', async () => {
		suite.sql.answer(/^DELETE/, {});
		overwriteNextNotes();
		for (const skipped of [undefined, true]) {
			const { json } = await suite.succeeds(query('DELETE FROM t'), { input });
			expect(json[0].skipped).toBe(skipped);
		}
	});

	it('that only reads is executed each time', async () => {
		suite.sql.answer(/^SELECT/, { rows: [{ one: 1 }] });
		for (let executions = 0; executions < 2; executions++) {
			expect((await suite.succeeds(query('SELECT 1'), { input })).json).toEqual([{ one: 1 }]);
		}
	});
});

describe('rows', () => {
	const rows = [
		{ id: 1, order: 'a' },
		{ id: 2, order: 'a' },
	];
	const insert = async (items: IDataObject[], more: INodeParameters = {}) => {
		const options = { deduplicationKey: KEY, ignoreUnknownFields: true, ...more };
		return await run('insertRows', { options }, { input: items });
	};

	it('of one key are inserted once in two executions, and those of another key', async () => {
		const table = takeInserts(suite);
		ok(await insert(rows));
		const wherobots = { skipped: true, deduplicationKey: 'a' };
		expect(ok(await insert(rows)).json).toEqual(rows.map((row) => ({ ...row, wherobots })));
		ok(await insert([{ id: 3, order: 'b' }]));
		expect(table.ids).toEqual([1, 2, 3]);
	});

	it.each<[string, IDataObject, INodeParameters]>([
		['have different keys', { id: 3, order: 'b' }, {}],
		[
			'go to different sessions',
			{ id: 3, order: 'a' },
			{ queryTimeoutSeconds: '={{ $json.id + 60 }}' },
		],
		['may be sent in several statements', { id: 3, order: 'a' }, { sendRowsAs: 'statements' }],
	])('are not inserted with a key if they %s', async (_, item, options) => {
		const table = takeInserts(suite);
		const { error } = await insert([...rows, item], options);
		expect(error?.message).toContain("'Deduplication Key'");
		expect(error?.description).toContain('Insert or Update Rows');
		expect(table.ids).toEqual([]);
	});

	it('are inserted by the next execution when the session refused them', async () => {
		const table = takeInserts(suite);
		table.failOn = 1;
		expect((await insert(rows)).error?.description).toContain('No row was inserted.');
		ok(await insert(rows));
		expect(table.ids).toEqual([1, 2]);
	});

	it('are not inserted when they may be in the table, and no error denies that', async () => {
		const table = takeInserts(suite);
		lose();
		const errors = [(await insert(rows)).error, (await insert(rows)).error];
		expect(errors[1]?.message).toContain('not certain whether an earlier execution did this');
		for (const error of errors) {
			expect(error?.description).toContain('Either all 2 rows or none of them are in the table.');
			expect(error?.description).not.toContain('No row was inserted');
		}
		expect(table.ids).toEqual([]);
	});
});
