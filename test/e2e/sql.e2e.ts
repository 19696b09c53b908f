/** SQL over the socket that n8n's own Node.js has. */
import { useStage } from './suite/stage';

const CITIES = [
	{ id: 9007199254740993n, name: 'Bonn', at: { type: 'Point', coordinates: [7.1, 50.7] } },
	{ id: 2n, name: 'Kaş, "TR"', at: null },
];

const stage = useStage({ timings: { sqlStartMs: 1_500, sqlStopMs: 500 } });

test('a statement changes something once, others give items and files, and the session ends', async () => {
	const { importWorkflow, sandbox, n8n, execute } = stage();
	const { sql, presigned } = sandbox;
	let changes = 0;
	sql.answer(/^INSERT/, { changes: () => (changes += 1) });
	sql.answer('SELECT * FROM demo.cities', { rows: CITIES, geometryColumns: ['at'] });
	sql.answer('SELECT name FROM demo.cities', { rows: CITIES.map(({ name }) => ({ name })) });

	const execution = await execute(await importWorkflow('test/e2e/workflows/sql.json'));

	expect(changes).toBe(1);
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
	expect(presigned.requests.map(({ status }) => status)).toEqual([200, 200]);
	expect(execution.json('Shut down')).toMatchObject([{ deleted: true }]);

	const [session, ...others] = sql.sessions.all();
	expect(others).toEqual([]);
	expect(sql.sessions.statusOf(session)).toMatch(/^DESTROY/);
	expect(sql.taken()).toHaveLength(4);
	expect(sql.violations).toEqual([]);
});
