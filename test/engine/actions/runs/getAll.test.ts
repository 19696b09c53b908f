import { suiteWithSandbox } from '../../harness/suite';

const suite = suiteWithSandbox({ seed: 'empty' });

const getAll = (more: object = {}) => ({ resource: 'jobRun', operation: 'getAll', ...more });

/** Runs with every status, two regions and a name each, a minute apart; the newest last. */
function createRuns(count: number): string[] {
	const statuses = ['PENDING', 'RUNNING', 'COMPLETED', 'FAILED', 'CANCELLED', 'TIMED_OUT'];
	return Array.from({ length: count }, (_, i) => {
		return suite.store.createRun({
			name: `${i % 2 === 0 ? 'nightly' : 'hourly'}-etl-${String(i).padStart(4, '0')}`,
			region: i % 3 === 0 ? 'aws-eu-west-1' : 'aws-us-west-2',
			status: statuses[i % statuses.length],
			createTime: Date.parse('2026-11-21T00:00:00Z') + i * 60_000,
		}).id;
	});
}

const query = () => suite.requests.of('listRuns').map((request) => request.query);

describe('Job Run: Get Many', () => {
	it('returns all of 250 runs over three pages, each once', async () => {
		const ids = createRuns(250);
		const { json, items } = await suite.succeeds(getAll({ returnAll: true }));
		expect(json.map(({ id }) => id)).toEqual(ids.reverse());
		expect(items[249].pairedItem).toEqual({ item: 0 });
		expect(query().map(({ size }) => size)).toEqual(['100', '100', '100']);
		expect(query()[0]).toEqual({ size: '100' });
	});

	it.each([
		[undefined, 50, ['50']],
		[1, 1, ['1']],
		[100, 100, ['100']],
		[130, 130, ['100', '100']],
		[1_000, 160, ['100', '100']],
	])('returns up to the limit of %s', async (limit, expected, sizes) => {
		createRuns(160);
		const { json } = await suite.run(getAll(limit === undefined ? {} : { limit }));
		expect(json).toHaveLength(expected);
		expect(query().map(({ size }) => size)).toEqual(sizes);
	});

	it.each([
		['region', { region: 'aws-eu-west-1' }, { region: 'aws-eu-west-1' }, 8],
		['name', { name: 'nightly-*' }, { name: 'nightly-*' }, 12],
		['one status', { statuses: ['FAILED'] }, { status: 'FAILED' }, 4],
		['some statuses', { statuses: ['PENDING', 'RUNNING'] }, { status: ['PENDING', 'RUNNING'] }, 8],
		[
			'statuses as text',
			{ statuses: '={{ "PENDING, TIMED_OUT," }}' },
			{ status: ['PENDING', 'TIMED_OUT', 'FAILED'] },
			8,
		],
		['a status in another case', { statuses: '={{ "failed" }}' }, { status: 'FAILED' }, 4],
		[
			'a status as the form calls it',
			{ statuses: '={{ ["Timed Out"] }}' },
			{ status: ['TIMED_OUT', 'FAILED'] },
			4,
		],
		['no status', { statuses: [] }, {}, 24],
		[
			'creation',
			{ createdAfter: '2026-11-21T00:19:30Z' },
			{ created_after: '2026-11-21T00:19:30Z' },
			4,
		],
	])('filters by %s', async (_, filters, sent, count) => {
		createRuns(24);
		expect((await suite.succeeds(getAll({ returnAll: true, filters }))).json).toHaveLength(count);
		expect(query()[0]).toEqual({ size: '100', ...sent });
	});

	it.each([['statuses'], ['createdAfter']])(
		'lists nothing when the expression of a filter returns nothing: %s',
		async (name) => {
			createRuns(3);
			const { error } = await suite.run(getAll({ filters: { [name]: '={{ $json.nothing }}' } }));
			expect(error?.message).toContain('must not be empty');
			expect(error?.description).toContain('Its expression returned nothing');
			expect(query()).toEqual([]);
		},
	);

	it('a status finds the runs that are shown in it, a timeout that the service calls a failure among them', async () => {
		createRuns(24);
		const ended = { pendingMs: 0, runningMs: 1_000, outcome: 'FAILED_TIMEOUT' as const };
		const createTime = Date.parse('2026-11-20T00:00:00Z');
		const { id } = suite.store.createRun({ createTime, plan: ended });
		const shown = async (status: string, more: object) => {
			const { json } = await suite.run(getAll({ filters: { statuses: [status] }, ...more }));
			return json;
		};
		const timedOut = await shown('TIMED_OUT', { limit: 5 });
		expect(timedOut.map((run) => run.status)).toEqual(Array(5).fill('TIMED_OUT'));
		expect(timedOut[4].id).toBe(id);
		expect(await shown('TIMED_OUT', { limit: 4 })).toHaveLength(4);
		const failed = await shown('FAILED', { returnAll: true });
		expect(failed.map((run) => run.status)).toEqual(Array(4).fill('FAILED'));
		expect(failed.map((run) => run.id)).not.toContain(id);
	});

	it('finds timeouts where the service does not know that status as a filter', async () => {
		createRuns(24);
		for (const status of [422, 400]) {
			suite.requests.clear();
			suite.fails('listRuns', status, { times: 1 });
			const filters = { statuses: ['TIMED_OUT', 'PENDING'], name: 'hourly-*' };
			const { json } = await suite.succeeds(getAll({ returnAll: true, filters }));
			expect(json.map((run) => run.status)).toEqual(Array(4).fill('TIMED_OUT'));
			expect(query()[1]).toEqual({ size: '100', name: 'hourly-*' });
		}
		suite.fails('listRuns', 422);
		const { error } = await suite.run(getAll({ filters: { statuses: ['TIMED_OUT'] } }));
		expect(error?.message).toBe('Validation error');
	});

	it('reads on where pages have no run that is shown in the status', async () => {
		const plan = { pendingMs: 0, runningMs: 1_000, outcome: 'FAILED_TIMEOUT' as const };
		const createTime = Date.parse('2026-11-20T00:00:00Z');
		const { id } = suite.store.createRun({ createTime, plan });
		const start = Date.parse('2026-11-20T01:00:00Z');
		for (let i = 0; i < 2_200; i++) {
			suite.store.createRun({ status: 'FAILED', createTime: start + i });
		}
		const filters = { statuses: ['TIMED_OUT'] };
		const { json } = await suite.succeeds(getAll({ limit: 1, filters }));
		expect(json).toMatchObject([{ id, status: 'TIMED_OUT' }]);
		expect(query()).toHaveLength(23);
	});
});

it('a list that ends before its own total, on a page that is not full, is returned with a hint', async () => {
	for (let made = 0; made < 30; made++) suite.store.createRun();
	suite.edits('listRuns', (page: object) => ({ ...page, total: 250, next_page: null }));
	const parameters = { resource: 'jobRun', operation: 'getAll', returnAll: true };
	const { json, hints } = await suite.run(parameters);
	expect(json).toHaveLength(30);
	expect(hints).toEqual([expect.stringContaining('30 records, but reports a total of 250')]);
});
