import type { EndpointId, Sandbox } from '../../sandbox';
import { check, leftIn, openSandbox } from './sandbox';

let sandbox: Sandbox;

afterEach(async () => {
	await sandbox.stop();
});

describe('the service as it is assumed to be', () => {
	it('is as assumed in everything, and nothing is left of what was made', async () => {
		sandbox = await openSandbox();
		const { otherwise, notChecked, left, counts } = await check(sandbox, { spend: true });
		expect(otherwise).toEqual([]);
		// The console is elsewhere, and a stand-in does not run scripts.
		expect(notChecked).toEqual(['console-run-page', 'run-log-output', 'run-log-long-line']);
		expect(counts).toMatch(/^(9|10)\d as assumed/);
		expect(left).toEqual([]);
		expect(leftIn(sandbox)).toEqual([]);
		expect(sandbox.sql.violations).toEqual([]);
	});

	it('is only read unless a job run and a session are wanted', async () => {
		sandbox = await openSandbox();
		const { otherwise } = await check(sandbox);
		expect(otherwise).toEqual([]);
		const writes = sandbox.requests.all().filter(({ method }) => method !== 'GET');
		// Costs are read with a POST.
		expect([...new Set(writes.map(({ endpoint }) => endpoint))]).toEqual(['getCosts']);
		expect(sandbox.requests.count).toBeLessThan(80);
	});

	it('is not asked when the person does not agree', async () => {
		sandbox = await openSandbox();
		const confirm = async () => await Promise.resolve(false);
		const { results, text, said } = await check(sandbox, { spend: true, confirm });
		expect([results, text]).toEqual([[], undefined]);
		expect(said).toMatch(/a job run .* on the runtime micro/);
		expect(said).toMatch(/up to 4 Spatial Units an hour/);
		const asked = sandbox.requests.all().map(({ endpoint }) => endpoint);
		expect(asked).toEqual(['getOrganization', 'getConfigHint']);
	});
});

describe('a service that differs', () => {
	it('is otherwise in exactly what it does otherwise', async () => {
		sandbox = await openSandbox({
			dateHeader: false,
			runOrder: 'oldestFirst',
			logCursorType: 'integer',
			logCursor: 'time',
			metricPoints: 'pairs',
			errorPaths: 'value',
			fileDownload: 'body',
			fileDownloadUrl: 'missing',
			myFiles: 'listed',
			auditOrder: 'oldestFirst',
			exportPath: 'plural',
			exportContentType: 'application/octet-stream',
			description: 'withoutTasks',
			taskSchemaName: 'none',
			taskTotal: 'other',
		});
		const { otherwise, text } = await check(sandbox);
		expect(otherwise).toEqual([
			...['date-header', 'error-path', 'run-order'],
			...['log-cursor-digits', 'log-cursor-after-lines', 'log-cursor-exclusive', 'metrics-points'],
			...['download-redirect', 'download-link', 'my-files'],
			...['audit-order', 'audit-export-path', 'audit-export-form'],
			...['task-list', 'task-inputs', 'task-run-path', 'task-run-list'],
		]);
		for (const name of otherwise) expect(text).toContain(`### \`${name}\``);
	});

	it('is also seen where only single answers differ', async () => {
		const answers = { auditQuery: 'missing', metricGroups: 'instant' } as const;
		sandbox = await openSandbox({ ...answers, presignedSeconds: 900 });
		const UNKNOWN = '{"kind":"unavailable","reason":"not_found"}';
		const changes: Array<[EndpointId, RegExp, string]> = [
			['getCosts', /\{[^{}]*\}(?=[,}])/g, UNKNOWN],
			['getCatalogHierarchy', /"extId"/g, '"otherId"'],
			['listStorages', /"defaultDirectory":"[^"]*"/g, '"defaultDirectory":"data/shared"'],
			['listTables', /"updateTime":"[^"]*"/g, '"updateTime":null'],
			['getTable', /"parent-snapshot-id":[^,}]*/g, '"parent-snapshot-id":null'],
			['getTaskRun', /"results":[^}]*\}?/, '"results":{"o0":"https://results.example"}'],
		];
		for (const [endpoint, found, instead] of changes) {
			const rewrite = (text: string) => text.replace(found, instead);
			sandbox.faults.add({ endpoint, fault: { kind: 'rewrite', rewrite } });
		}
		const { otherwise } = await check(sandbox);
		expect(otherwise).toEqual([
			...['metrics-groups', 'cost-by-workload', 'storage-default-folder'],
			...['catalog-hierarchy-ids', 'table-update-time-listed', 'table-snapshot-parents'],
			...['audit-query', 'task-results'],
		]);
	});

	it('is otherwise in what a job run and a session show', async () => {
		sandbox = await openSandbox({
			requireRegion: true,
			requireRuntime: true,
			requireDependenciesWithSparkConfigs: true,
			sqlAttach: 'ignored',
			sqlSessionLocation: 'relative',
		});
		const { otherwise } = await check(sandbox, { spend: true });
		expect(otherwise).toEqual([
			...['run-region-optional', 'run-runtime-optional', 'run-spark-settings'],
			'sql-attach',
		]);
		expect(leftIn(sandbox)).toEqual([]);
	});

	it.each<[format: 'arrow' | 'json', names: string[]]>([
		['arrow', ['sql-json-result']],
		['json', ['sql-arrow-result', 'sql-row-limit']],
	])('is otherwise where every result is %s', async (sqlResultFormat, names) => {
		sandbox = await openSandbox({ sqlResultFormat, sqlRowLimit: 2_000 });
		const { otherwise } = await check(sandbox, { spend: true });
		expect(otherwise).toEqual(names);
	});
});

describe('what goes wrong on the way', () => {
	it('is a reason for what could not be checked, not an end', async () => {
		sandbox = await openSandbox();
		sandbox.faults.add({ endpoint: 'listStorages', fault: { kind: 'status', status: 403 } });
		sandbox.faults.add({ endpoint: 'listCatalogs', fault: { kind: 'html' } });
		const { results, notChecked } = await check(sandbox);
		expect(notChecked).toContain('storage-list');
		expect(results.find(({ guess }) => guess.name === 'storage-list')?.seen).toMatch(
			/^GET \/storage → 403; code INSUFFICIENT_PERMISSIONS_ERROR/,
		);
		expect(results.find(({ guess }) => guess.name === 'audit-query')?.outcome).toBe('asAssumed');
	});

	it('is waited for when the service is busy', async () => {
		sandbox = await openSandbox();
		const fault = { kind: 'status', status: 429, retryAfter: 2 } as const;
		sandbox.faults.add({ endpoint: 'listRuns', times: 2, fault });
		const { otherwise } = await check(sandbox);
		expect(otherwise).toEqual([]);
	});

	it('is said of what could not be made, and the rest is checked', async () => {
		sandbox = await openSandbox();
		sandbox.faults.add({ endpoint: 'createUploadUrl', fault: { kind: 'status', status: 403 } });
		const { text, otherwise } = await check(sandbox, { spend: true });
		expect(text).toMatch(/^- The job run: POST \/storage.* → 403/m);
		expect(otherwise).toEqual([]);
		expect(leftIn(sandbox)).toEqual([]);
	});

	it('says what could not be removed', async () => {
		sandbox = await openSandbox();
		sandbox.faults.add({ endpoint: 'deleteFile', fault: { kind: 'status', status: 403 } });
		const { left } = await check(sandbox, { spend: true });
		expect(left).toEqual([
			expect.stringMatching(/^the file .*n8n-live-check.*\.py: DELETE .* → 403/),
		]);
	});

	it('cancels the run whose submission had no response', async () => {
		sandbox = await openSandbox();
		sandbox.timings.runningMs = 40 * 60_000;
		sandbox.faults.add({ endpoint: 'createRun', fault: { kind: 'reset', when: 'after' } });
		await check(sandbox, { spend: true });
		expect(leftIn(sandbox)).toEqual([]);
		expect(sandbox.requests.of('cancelRun')).toHaveLength(1);
	});
});

describe('Ctrl-C', () => {
	it.each([
		...(['createUploadUrl', 'createRun', 'createSqlSession', 'getSqlSession'] as const),
		...(['getRun', 'listStorages'] as const),
	])('leaves nothing behind at %s', async (endpoint) => {
		sandbox = await openSandbox();
		const stop = new AbortController();
		sandbox.requests.listen((entry) => {
			if (entry.endpoint === endpoint) stop.abort();
		});
		const { results, text, left } = await check(sandbox, { spend: true }, stop);
		expect(stop.signal.aborted).toBe(true);
		expect([results, text, left]).toEqual([[], undefined, []]);
		expect(leftIn(sandbox)).toEqual([]);
	});

	it('cancels a statement with its session', async () => {
		sandbox = await openSandbox();
		sandbox.sql.answer('SELECT 2 AS number', { rows: [{ number: 2 }], seconds: 3_600 });
		const stop = new AbortController();
		const isSent = () => sandbox.sql.taken('SELECT 2 AS number').length > 0;
		const timer = setInterval(() => isSent() && stop.abort(), 5);
		const { left } = await check(sandbox, { spend: true }, stop);
		clearInterval(timer);
		expect(left).toEqual([]);
		expect(leftIn(sandbox)).toEqual([]);
	});
});
