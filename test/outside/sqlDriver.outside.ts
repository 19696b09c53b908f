/** The sandbox under the published driver's behaviour: what stands in for the service has to serve it. */
import { startSandbox, type Sandbox } from '../sandbox';
import { connect, type Connection } from './sqlDriver';

let sandbox: Sandbox;
let connection: Connection;
const open = async () => await connect(sandbox.baseUrl, sandbox.credentials.admin.apiKey);

beforeAll(async () => {
	sandbox = await startSandbox({ timings: { sqlStartMs: 300 } });
	sandbox.sql.answer('SELECT 1', { rows: [{ a: 1, b: 'ß' }] });
	sandbox.sql.answer('SELECT 0', { columns: ['a'], rows: [] });
	sandbox.sql.answer('SELECT slow', { rows: [{ a: 1 }], seconds: 600 });
	sandbox.sql.answer('SELECT broken', { error: 'No such table' });
	connection = await open();
});

afterAll(async () => {
	connection?.close();
	await sandbox.stop();
});

describe('the driver', () => {
	it('shares the session of the same request', async () => {
		const other = await open();
		expect(other.sessionId).toBe(connection.sessionId);
		other.close();
	});

	it('reads JSON as it is, whatever it is labelled', async () => {
		const rows = [{ a: 1, b: 'ß' }];
		for (const retrieve of [{ format: 'json' }, { format: 'json', compression: 'brotli' }]) {
			expect(await connection.execute('SELECT 1', undefined, retrieve).outcome).toEqual({ rows });
		}
	});

	it('has several statements at once', async () => {
		const outcomes = ['SELECT 0', 'SELECT broken', 'SELECT 1'].map(
			async (statement) => await connection.execute(statement).outcome,
		);
		expect(await Promise.all(outcomes)).toEqual([
			{ rows: [] },
			{ error: 'No such table' },
			{ rows: [{ a: 1, b: 'ß' }] },
		]);
	});

	it.each([{}, { format: 'arrow', compression: 'gzip' }, { compression: 'none' }])(
		'reads Arrow, its default (%j)',
		async (retrieve) => {
			const { outcome } = connection.execute('SELECT 1', undefined, retrieve);
			expect(await outcome).toEqual({ rows: [{ a: 1, b: 'ß' }] });
		},
	);

	it('cancels, which it takes for an empty result', async () => {
		const { outcome, cancel } = connection.execute('SELECT slow');
		cancel();
		expect(await outcome).toEqual({ rows: [] });
	});

	it.each([true, 'true'])('has a file stored and fetches it without its key (%p)', async (yes) => {
		const store = { format: 'csv', single: yes, generate_presigned_url: yes, options: {} };
		const { file } = await connection.execute('SELECT 1', store).outcome;
		const text = await (await fetch(String(file?.uri))).text();
		expect(text).toBe('1,ß\n');
		expect(file?.size).toBe(Buffer.byteLength(text));
		expect(await connection.execute('SELECT 0', store).outcome).toEqual({ file: null });
	});

	it('breaks no rule of the protocol', () => {
		expect(sandbox.sql.violations).toEqual([]);
	});
});
