import { Mask } from '../../../scripts/live/mask';
import { ORGANIZATION_ID, people } from '../../sandbox/model/people';
import type { Sandbox } from '../../sandbox';
import { check, openSandbox } from './sandbox';

let sandbox: Sandbox;

afterEach(async () => {
	await sandbox.stop();
});

/** Everything in the sandbox's data that says whose account it is. */
function privateValues({ store, credentials, presigned, sql, baseUrl }: Sandbox): string[] {
	const persons = Object.values(people).flatMap(({ id, name, email }) => [id, name, email]);
	const storages = store.storages.all();
	return [
		...[credentials.admin.apiKey, new URL(baseUrl).host, '127.0.0.1'],
		...['Acme Geospatial', 'byoc-acme', ORGANIZATION_ID],
		...persons,
		...storages.flatMap(({ id, draft }) => [id, draft.name, draft.path.replace('s3://', '')]),
		...storages.flatMap(({ files }) => [...files.keys()].map((file) => file.split('/').at(-1))),
		...store.runs.all().flatMap(({ id, payload }) => [id, payload.name, payload.runPython?.uri]),
		...store.catalogs
			.all()
			.flatMap(({ id, name, namespaces }) => [
				...[id, name],
				...[...namespaces.values()].flatMap((space) => [...space.entries.keys()]),
			]),
		...store.tasks.runs.flatMap(({ taskRunId, taskName }) => [taskRunId, taskName]),
		...presigned.secrets,
		...sql.sessions.all().map(({ id }) => id),
	].filter((value): value is string => typeof value === 'string' && value.length > 4);
}

it.each([
	['the sandbox as it is', false],
	['a service whose errors repeat what it knows', true],
])('%s: neither report nor screen show whose account it is', async (_, isTalkative) => {
	sandbox = await openSandbox();
	if (isTalkative) {
		const details = `Ada Admin <ada@example.com> of Acme Geospatial (${ORGANIZATION_ID}) may not read s3://wbts-wbc-1/acme at ${sandbox.baseUrl} with ${sandbox.credentials.admin.apiKey}`;
		const errors = [{ details, message: `No access for 'nightly-pipeline'`, path: '/runs/abc' }];
		for (const endpoint of ['getRunMetrics', 'listTasks', 'getTable'] as const) {
			sandbox.faults.add({ endpoint, fault: { kind: 'status', status: 400, errors } });
		}
	}
	const { text = '', said } = await check(sandbox, { spend: true });
	expect(text).toMatch(/^# Live check/);
	const values = privateValues(sandbox);
	expect(values.length).toBeGreaterThan(500);
	expect(values.filter((value) => text.includes(value))).toEqual([]);
	expect(values.filter((value) => said.includes(value))).toEqual([]);
	expect(text).toMatch(isTalkative ? /metrics → 400.*No access for/ : /^Nothing|failed-run-log/m);
});

it('masks what a response has said before, and nothing of our own words', () => {
	const mask = new Mask(['key-1'], 'a list of runs');
	mask.learn({
		name: 'Tokyo',
		status: 'COMPLETED',
		kind: 'runs',
		items: [{ uri: 's3://bucket/list' }],
	});
	expect(
		mask.apply('Tokyo has a list of runs, COMPLETED, in bucket with key-1 from me@example.org'),
	).toBe('(masked) has a list of runs, COMPLETED, in (masked) with (masked) from (masked)');
});
