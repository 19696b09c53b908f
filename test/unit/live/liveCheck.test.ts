import { OPERATIONS } from '../../../scripts/live/account';
import { startReplay } from '../../../scripts/live/replay';
import { CUT, type Report } from '../../../scripts/live/report';
import { eventCases } from '../../../scripts/live/reads';
import { events } from '../../../nodes/Wherobots/trigger/poll';
import type { Sandbox } from '../../sandbox';
import { ORGANIZATION_ID, people } from '../../sandbox/model/people';
import { check, leftIn, openSandbox } from './sandbox';

// Against hanging only: a whole check executes every operation, in a session with a database.
jest.setTimeout(900_000);

let sandbox: Sandbox;

afterEach(async () => {
	await sandbox.stop();
});

/** What an account does not tell. */
const given = {
	'task to run (--task)': 'predict_mosaic_geometries_recipe',
	'inputs of a task (--task-inputs)': '{"aoi": "s3://sandbox-bucket/aoi.parquet"}',
	'name for a catalog (--catalog)': 'n8n_live_check',
};

/** Everything in the sandbox's data that says whose account it is. */
function privateValues({ store, credentials, presigned, baseUrl }: Sandbox): string[] {
	const storages = store.storages.all();
	return [
		...[credentials.admin.apiKey, new URL(baseUrl).hostname, 'Acme Geospatial', ORGANIZATION_ID],
		...Object.values(people).flatMap(({ id, name, email }) => [id, name, email]),
		...storages.flatMap(({ id, draft }) => [id, draft.path.replace('s3://', '')]),
		...store.runs.all().flatMap(({ id, payload }) => [id, payload.name, payload.runPython?.uri]),
		...store.catalogs.all().map(({ id }) => id),
		...store.tasks.runs.map(({ taskRunId }) => taskRunId),
		...presigned.secrets,
	].filter((value): value is string => (value?.length ?? 0) > 6 && !/n8n.live.check/.test(value!));
}

const namesIn = (report: Report | undefined) =>
	new Set(report?.results.map(({ name }) => name) ?? []);

describe('the service as it is assumed to be', () => {
	it('executes every operation and event, none of which fails, and leaves nothing', async () => {
		sandbox = await openSandbox();
		// Only what is sent at once is counted: the sandbox counts in real time, in which its hours are seconds.
		sandbox.requests.listen(({ endpoint }) => {
			if (endpoint === 'createCatalog')
				sandbox.variants.rateLimit = { requests: 100, windowMs: 60_000 };
			if (endpoint === 'listRuns') sandbox.variants.rateLimit = false;
		});
		const { report, named, otherwise, said } = await check(sandbox, { spend: 5, given });
		expect([named('fails'), named('differs'), otherwise]).toEqual([[], [], []]);
		expect(report?.untold).not.toContain('rate-limit');
		// No run there is has lasted that long.
		expect(named('notPossible')).toEqual([
			...['event runExceededDuration (as a test event)'],
			...['event taskRunExceededDuration (as a test event)'],
		]);
		const all = [...OPERATIONS, ...Object.keys(events).map((event) => `event ${event}`)];
		expect([...namesIn(report)].sort()).toEqual(all.sort());
		expect([report?.left, leftIn(sandbox), sandbox.sql.violations]).toEqual([[], [], []]);
		expect(said).toMatch(/on the runtime micro .* \$0\.\d\d\n/s);

		const text = `${JSON.stringify(report)}\n${said}`;
		const values = privateValues(sandbox);
		expect(values.length).toBeGreaterThan(300);
		expect(values.filter((value) => text.includes(value))).toEqual([]);
	});

	it('is only read without --spend', async () => {
		sandbox = await openSandbox();
		const { report, named } = await check(sandbox);
		expect([named('fails'), named('differs')]).toEqual([[], []]);
		const writes = sandbox.requests.all().filter(({ method }) => method !== 'GET');
		// Costs are read with a POST.
		expect([...new Set(writes.map(({ endpoint }) => endpoint))]).toEqual(['getCosts']);
		expect(report?.results.find(({ name }) => name === 'table create')?.why).toBe(
			'only with --spend',
		);
	});

	it('is not asked when the person does not agree', async () => {
		sandbox = await openSandbox();
		const confirm = async () => await Promise.resolve(false);
		const { report, said } = await check(sandbox, { spend: 5, confirm });
		expect([report, said]).toEqual([undefined, expect.stringMatching(/spent \$5/)]);
		expect(sandbox.requests.all().every(({ method }) => method === 'GET')).toBe(true);
	});
});

describe('a service that differs', () => {
	it('is told by the operation that a user sees fail, or by a guess', async () => {
		sandbox = await openSandbox({
			...{ dateHeader: false, runOrder: 'oldestFirst', kubeApp: 'null', logCursorType: 'integer' },
			...{ metricPoints: 'pairs', fileDownloadUrl: 'missing', myFiles: 'listed' },
			...{ auditOrder: 'oldestFirst', exportContentType: 'application/octet-stream' },
			...{ taskSchemaName: 'none', taskTotal: 'other', tableUpdateTime: 'none' },
		});
		const { named, otherwise } = await check(sandbox);
		expect([...named('differs'), ...named('fails')]).toEqual(
			expect.arrayContaining([
				...['jobRun getAll', 'jobRun get', 'auditLog getAll', 'task get', 'table getAll'],
			]),
		);
		expect(otherwise).toEqual(
			expect.arrayContaining([
				...['date-header', 'log-cursor-digits', 'metrics-points', 'storage-list'],
				...['download-link', 'audit-export-form', 'task-list'],
			]),
		);
	});

	it('can be played from its report', async () => {
		sandbox = await openSandbox({ runOrder: 'oldestFirst' });
		const { report } = await check(sandbox);
		const cut = report?.exchanges.find(({ body }) => CUT in Object(body));
		expect(cut?.body).toMatchObject({ [CUT]: expect.any(Number) });
		const replay = await startReplay(report as Report);
		const played = await check({ ...sandbox, baseUrl: replay.baseUrl } as Sandbox);
		await replay.stop();
		expect(played.named('differs')).toContain('jobRun getAll');
		expect(played.named('works')).toEqual(
			expect.arrayContaining(['jobRun get', 'usage getAll', 'catalog getAll', 'taskRun get']),
		);
	});
});

describe('what goes wrong on the way', () => {
	it.each(['forbidden', 'missing'] as const)(
		'still ends with a report where hints about runtimes are %s, and what would cost too much is not made',
		async (accountEndpoints) => {
			sandbox = await openSandbox({ accountEndpoints });
			sandbox.faults.add({ endpoint: 'createUploadUrl', fault: { kind: 'status', status: 403 } });
			const { report, named } = await check(sandbox, { spend: 0.001 });
			expect(named('notPossible')).toEqual(
				expect.arrayContaining(['file upload (in.csv)', 'sql executeQuery (a geometry)']),
			);
			expect(report?.table.join('\n')).toMatch(/could spend more than \$0\.001/);
			expect([report?.left, leftIn(sandbox)]).toEqual([[], []]);
		},
	);

	it('writes to no storage integration that is only for reading, and says so', async () => {
		sandbox = await openSandbox();
		for (const { draft } of sandbox.store.storages.all()) draft.readOnly = draft.type !== 'MANAGED';
		sandbox.faults.add({ endpoint: 'createSqlSession', fault: { kind: 'status', status: 403 } });
		const { report } = await check(sandbox, { spend: 5 });
		const results = report?.results.filter(({ use }) => /storage integration$/.test(use ?? ''));
		expect(results?.map(({ name, outcome, why }) => [name, outcome, why])).toEqual([
			['sql executeQuery', 'notPossible', 'no writable storage integration was found or made'],
			['table loadFile', 'notPossible', expect.stringMatching(/ was found or made$/)],
		]);
		expect([report?.left, leftIn(sandbox)]).toEqual([[], []]);
	});

	it('says what could not be removed', async () => {
		sandbox = await openSandbox();
		sandbox.faults.add({ endpoint: 'revokeApiKey', fault: { kind: 'status', status: 403 } });
		const { report } = await check(sandbox, { spend: 0.001 });
		expect(report?.left).toEqual([expect.stringMatching(/^the apiKey n8n-live-check-/)]);
	});

	it.each(['createRun', 'getSqlSession'] as const)(
		'Ctrl-C at %s leaves a report and nothing else',
		async (endpoint) => {
			sandbox = await openSandbox();
			sandbox.timings.runningMs = 40 * 60_000;
			const stop = new AbortController();
			sandbox.requests.listen((entry) => {
				if (entry.endpoint === endpoint) stop.abort();
			});
			const { saved } = await check(sandbox, { spend: 20 }, stop);
			expect(stop.signal.aborted).toBe(true);
			expect(saved?.about).toContain('Stopped before its end');
			expect(namesIn(saved).size).toBe(OPERATIONS.length + eventCases.length);
			expect(leftIn(sandbox)).toEqual([]);
		},
	);
});
