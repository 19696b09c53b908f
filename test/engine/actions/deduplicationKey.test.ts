/** Deduplication Key, with n8n's own helper on a store in place of its database. */
import { by } from '../../support/files';
import { forgetNotes, overwriteNextNotes } from '../harness/notes';
import { suiteWithSandbox } from '../harness/suite';

const suite = suiteWithSandbox();

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
