import { gunzipSync } from 'node:zlib';

import { Decimal, Int8, tableFromIPC, type DataType } from 'apache-arrow';

import type { SqlAnswer } from '../../../sandbox';
import { until } from '../../../support/until';
import { closeAll } from '../open';
import { openSession } from './socket';

afterEach(closeAll);

const point = { type: 'Point', coordinates: [7.1, 50.7], srid: 3857 };

/** The results of `q`, requested like this. */
async function results(answer: SqlAnswer, how: object = {}, variants: object = {}) {
	const { client, sandbox } = await openSession();
	Object.assign(sandbox.variants, variants);
	sandbox.sql.answer('q', answer);
	const id = client.execute('q');
	await client.next('state_updated', 'succeeded');
	client.send({ kind: 'retrieve_results', execution_id: id, ...how });
	const { results } = await client.next('execution_result');
	return results as Record<string, unknown> & { result_bytes: Buffer };
}

const none = { compression: 'none' };

describe('results', () => {
	it('are Arrow with brotli and EWKT unless others are requested', async () => {
		const sent = await results({ rows: [{ at: point }], geometryColumns: ['at'] });
		expect(sent).toMatchObject({ format: 'arrow', compression: 'brotli', geometry: 'ewkt' });
		const how = { compression: 'gzip', geometry: 'ewkb' };
		const { result_bytes: bytes } = await results(
			{ rows: [{ at: point }], geometryColumns: ['at'] },
			how,
		);
		const [{ at }] = tableFromIPC(gunzipSync(bytes)).toArray();
		expect(Buffer.from(at).toString('hex')).toBe(
			'0101000020110f00006666666666661c409a99999999594940',
		);
	});

	it('have types inferred from the values, or as stated, and columns without rows', async () => {
		const map = new Map([[1, 'one']]);
		const row = { i: 1, l: 9n, d: 1.5, s: 'x', b: true, t: new Date(0), n: null, a: [1], m: map };
		const types: Record<string, DataType> = { e: new Decimal(2, 38), tiny: new Int8() };
		const answer = { rows: [{ ...row, e: 12345n, tiny: 7, o: { k: 'v' } }], types };
		const schema = (bytes: Buffer) =>
			tableFromIPC(bytes).schema.fields.map(({ name, type }) => `${name} ${String(type)}`);
		const { result_bytes: bytes } = await results(answer, none);
		expect(schema(bytes)).toEqual([
			...['i Int32', 'l Int64', 'd Float64', 's Utf8', 'b Bool', 't Timestamp<MICROSECOND, UTC>'],
			...['n Null', 'a List<Int32>', 'm Map<{key:Int32, value:Utf8}>'],
			...['e Decimal[38e+2]', 'tiny Int8', 'o Struct<{k:Utf8}>'],
		]);
		const columns = ['a', 'a'];
		const { result_bytes: empty } = await results({ columns, rows: [] }, none);
		expect(schema(empty)).toEqual(['a Null', 'a Null']);
	});

	it.each([
		['empty', (sent: { result_bytes: Buffer }) => tableFromIPC(sent.result_bytes).numCols, 0],
		['null', (sent: unknown) => sent, null],
		['object', (sent: unknown) => sent, {}],
	] as const)('of a statement without rows are %s', async (sqlNoRows, read, expected) => {
		expect(read(await results({}, none, { sqlNoRows }))).toEqual(expected);
	});

	it('may be of another format or compression than requested', async () => {
		const answer = { rows: [{ n: 1 }] };
		const json = await results(answer, { format: 'arrow' }, { sqlResultFormat: 'json' });
		expect([json.format, String(json.result_bytes)]).toEqual(['json', '[{"n":1}]']);
		const packed = await results(answer, none, { sqlCompression: 'gzip' });
		expect(tableFromIPC(gunzipSync(packed.result_bytes)).numRows).toBe(1);
	});
});

describe('a lost connection', () => {
	it('leaves a statement to another one that attaches to it in time', async () => {
		const { client, connect, sandbox, clock } = await openSession();
		sandbox.sql.answer('slow', { rows: [{ n: 1 }], seconds: 600 });
		const id = client.execute('slow');
		await client.next('state_updated', 'running');
		client.socket.terminate();
		const other = (await connect()) as typeof client;
		other.retrieve(id, { attach: true });
		expect(await other.next('execution_result')).toMatchObject({
			state: 'running',
			attached: true,
		});
		clock.advance(600_000);
		await other.next('state_updated', 'succeeded');
	});

	it('ends a statement after a while, and a session does not remember it for ever', async () => {
		const { client, connect, sandbox, clock } = await openSession();
		sandbox.variants.sqlRemembered = 1;
		sandbox.sql.answer('slow', { rows: [{ n: 1 }], seconds: 600 });
		sandbox.sql.answer('q', { rows: [{ n: 1 }] });
		const id = client.execute('slow');
		await client.next('state_updated', 'running');
		client.socket.terminate();
		await until(() => sandbox.sql.sessions.all()[0].clients === 0);
		const other = (await connect()) as typeof client;
		clock.advance(sandbox.timings.sqlGraceMs + 1_000);
		other.retrieve(id);
		while ((await other.next('execution_result')).state !== 'cancelled') other.retrieve(id);
		other.execute('q');
		await other.next('state_updated', 'succeeded');
		other.retrieve(id);
		expect(await other.next('error')).toMatchObject({ message: 'Execution not found' });
	});
});
