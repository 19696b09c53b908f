/** wherobots-dbt: its adapter, in a small project. */
import { describeWith } from './environment';
import { startJudge, type Judge, type Outcomes } from './judge';
import { SparkCatalog } from './sparkCatalog';

describeWith('dbt')('wherobots-dbt', () => {
	let judge: Judge;
	let dbt: Outcomes;

	beforeAll(async () => {
		judge = await startJudge('dbt', { timings: { sqlStartMs: 2_000 } });
		new SparkCatalog().answerFor(judge.sandbox.sql);
		dbt = await judge.work('project_of_dbt.py');
	});

	/** Statements without dbt's comment and with single spaces. */
	const taken = (like: RegExp) =>
		judge.sandbox.sql.taken(like).map(({ text }) =>
			text
				.replace(/^\/\*.*?\*\//s, '')
				.replace(/\s+/g, ' ')
				.trim(),
		);

	afterAll(async () => await judge?.stop());

	it('connects with dbt debug', () => {
		expect(dbt.debug).toEqual({ nodes: [], success: true });
	});

	it.each(['seed', 'seed_again'])('loads a seed (%s)', (which) => {
		expect(dbt[which]).toEqual({ nodes: [['cities', 'success']], success: true });
		expect(taken(/insert into/).at(0)).toContain(String.raw`(2, 'O\'Higgins')`);
	});

	it.each(['run', 'run_again'])('builds a model that merges and a view (%s)', (which) => {
		expect(dbt[which]).toEqual({
			nodes: [
				['visited', 'success'],
				['names', 'success'],
			],
			success: true,
		});
	});

	it('creates the table in the first run and merges in the second', () => {
		const visited = taken(/visited` as/).map((text) => /^[a-z]+/.exec(text)?.[0]);
		expect(visited).toEqual(['create', 'merge']);
	});

	it('generates docs with every column and its type', () => {
		const id = ['id', 'bigint'];
		const name = ['name', 'string'];
		expect(dbt.docs).toEqual({
			success: true,
			tables: {
				cities: ['BASE TABLE', [id, name]],
				visited: ['BASE TABLE', [id, name]],
				names: ['VIEW', [name]],
			},
		});
	});

	it('sends nothing that fails, or that the protocol does not have', () => {
		const all = judge.sandbox.sql.taken(/./s);
		expect(all.filter(({ state }) => state !== 'succeeded')).toEqual([]);
		expect(judge.sandbox.sql.violations).toEqual([]);
	});
});
