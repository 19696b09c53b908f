/** SQL over the socket that n8n's own Node.js has. */

import { executeWell, useStage } from './suite/workflowCases';

const CITIES = [
	{ id: 9007199254740993n, name: 'Bonn', at: { type: 'Point', coordinates: [7.1, 50.7] } },
	{ id: 2n, name: 'Kaş, "TR"', at: null },
];

describe('SQL', () => {
	const stage = useStage({ timings: { sqlStartMs: 1_500, sqlStopMs: 500 } });

	test('a statement changes something once, others give items and files, and the session ends', async () => {
		const { importWorkflow, sandbox, n8n } = stage();
		let changes = 0;
		sandbox.sql.answer(/^INSERT/, { changes: () => (changes += 1) });
		sandbox.sql.answer('SELECT * FROM demo.cities', { rows: CITIES, geometryColumns: ['at'] });
		sandbox.sql.answer('SELECT name FROM demo.cities', {
			rows: CITIES.map(({ name }) => ({ name })),
		});

		const execution = await executeWell(
			stage(),
			await importWorkflow('test/e2e/workflows/sql.json'),
		);

		expect(changes).toBe(1);
		expect(execution.json('Change')).toMatchObject([{ state: 'succeeded' }]);
		expect(execution.json('Rows')).toEqual([
			{ ...CITIES[0], id: '9007199254740993' },
			{ ...CITIES[1], id: 2 },
		]);
		const fileOf = async (node: string) => {
			const [{ binary }] = execution.items(node);
			return (await n8n.binary(binary?.data.id ?? 'none')).toString('utf8');
		};
		expect(await fileOf('CSV')).toBe('name\nBonn\n"Kaş, ""TR"""\n');
		expect((await fileOf('GeoJSON')).trim().split('\n')).toHaveLength(2);
		expect(execution.json('Sessions')).toMatchObject([{ status: 'READY', sessionType: 'multi' }]);
		expect(execution.json('Shut down')).toMatchObject([{ deleted: true }]);

		const [session, ...others] = sandbox.sql.sessions.all();
		expect(others).toEqual([]);
		expect(sandbox.sql.sessions.statusOf(session)).toMatch(/^DESTROY/);
		expect(sandbox.sql.taken().map(({ text }) => text)).toEqual([
			// Kaş, 'TR'\ as bytes: nothing in them means anything to Spark.
			"INSERT INTO demo.visits VALUES (CAST(X'4B61C59F2C20275452275C' AS STRING))",
			'SELECT * FROM demo.cities',
			'SELECT name FROM demo.cities',
			'SELECT * FROM demo.cities',
		]);
		expect(sandbox.sql.violations).toEqual([]);
		expect(sandbox.presigned.requests).toHaveLength(2);
		for (const { status } of sandbox.presigned.requests) expect(status).toBe(200);
	});
});
