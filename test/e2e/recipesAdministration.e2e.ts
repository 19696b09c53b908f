import { until } from '../support/until';
import {
	credentialData,
	n8nCredential,
	readWorkflow,
	startedByWebhook,
	withCredential,
	withParameters,
} from './n8n/workflows';
import { startMail } from './servers/mail';
import { rowsOf, tableNamed } from './suite/dataTables';
import { fillIn } from './suite/requests';
import { sharedUrl } from './suite/sharedN8n';
import { IN_N8N, useStage } from './suite/stage';
import { DAY_MS, EXECUTION_LINK, READABLE_TIME } from './suite/calendar';

const stage = useStage();

describe('an API key', () => {
	/** A key that expires in so many days, the credential that has it, and the workflow imported. */
	async function prepare(days: number, credentialId?: string, settings?: Record<string, unknown>) {
		const { n8n, sandbox } = stage();
		const expiresAt = Date.now() + days * DAY_MS;
		const old = sandbox.store.apiKeys.create({ name: 'n8n-2026-08-24', expiresAt });
		sandbox.store.apiKeys.create({ name: 'laptop', expiresAt: Date.now() + DAY_MS });
		const credential = await n8n.createCredential(credentialData(old.key, sandbox.baseUrl));
		const n8nApi = await n8n.createCredential(n8nCredential(sharedUrl(), n8n.session.apiKey));
		const url = `${sharedUrl()}/api/v1/credentials/${credentialId ?? credential.id}`;
		const read = await readWorkflow('examples/rotate-api-key.json');
		const withUrl = withParameters(read, { 'Update credential': { url } });
		const chosen = withCredential(withCredential(withUrl, credential), n8nApi, 'n8nApi');
		const workflow = await n8n.createWorkflow({ ...chosen, ...(settings && { settings }) });
		return { old, credential, workflow };
	}

	/** Executes a workflow whose executions are not saved. */
	async function executeUnsaved(workflow: string) {
		const { n8n } = stage();
		const execution = await n8n.start(workflow);
		const gone = async () =>
			await n8n.execution(execution).then(
				() => false,
				() => true,
			);
		await until(gone, IN_N8N);
		expect(await n8n.executions(workflow)).toEqual([]);
	}

	test('is replaced in the credential two weeks before it expires, once', async () => {
		const { n8n, sandbox } = stage();
		const { old, credential, workflow } = await prepare(10);

		await executeUnsaved(workflow);
		await executeUnsaved(workflow);

		expect(sandbox.requests.of('createApiKey')).toHaveLength(1);
		const created = sandbox.store.apiKeys.all().at(-1);
		expect(created?.name).toMatch(/^n8n-\d{4}-\d{2}-\d{2}-\d{6}$/);
		expect(created?.expiresAt).toBeGreaterThan(Date.now() + 80 * DAY_MS);
		expect(Math.abs(old.expiresAt - Date.now() - DAY_MS)).toBeLessThan(60_000);
		expect(old.revoked).toBe(false);

		const lists = withCredential(
			await readWorkflow('test/e2e/workflows/list-runs.json'),
			credential,
		);
		await stage().execute(await n8n.createWorkflow(lists));
		expect(sandbox.requests.of('listRuns').at(-1)?.headers['x-api-key']).toBe(created?.key);
	});

	test('that is good for longer is left alone', async () => {
		const { workflow } = await prepare(30);
		await executeUnsaved(workflow);
		expect(stage().sandbox.requests.of('createApiKey')).toEqual([]);
	});

	test('without the prefix in its name is not taken for one that needs nothing', async () => {
		const { n8n, importWorkflow } = stage();
		const read = await readWorkflow('examples/rotate-api-key.json');
		// The recipe itself saves no executions.
		const saved = { ...read, settings: { executionOrder: 'v1' } };
		const n8nApi = n8nCredential(sharedUrl(), n8n.session.apiKey);
		const { error, nodes } = await n8n.run(await importWorkflow(saved, {}, [n8nApi]));
		expect(error?.message).toMatch(
			/^No valid API key has a name that begins with n8n-, .* Create a key/,
		);
		expect(nodes).toContain('Valid key of n8n?');
	});

	test('is kept, and its successor revoked, when the credential cannot be changed', async () => {
		const { n8n, sandbox } = stage();
		// The recipe itself saves no executions.
		const { old, workflow } = await prepare(10, 'not-there', { executionOrder: 'v1' });
		const { expiresAt } = old;

		const { error } = await n8n.run(workflow);

		expect(error?.message).toMatch(
			/^The credential could not be updated, so the new key was revoked: .*\bfound.* Check the address/i,
		);

		expect(sandbox.store.apiKeys.all().at(-1)).toMatchObject({
			name: expect.stringMatching(/^n8n-/) as string,
			revoked: true,
		});
		expect(old).toMatchObject({ expiresAt, revoked: false });
	});
});

describe('a new customer', () => {
	test('gets the link by mail, and whoever asked hears when the connection works', async () => {
		const { n8n, sandbox, importWorkflow } = stage();
		const mail = await stage().use(startMail());
		const workflow = await importWorkflow(
			'examples/customer-onboarding.json',
			{ 'Wait an hour': { amount: 1, unit: 'seconds' } },
			[mail.credential],
		);
		const answers = ['acme', '123456789012', 'cloud@acme.example', 'sales@example.com'];

		const execution = await fillIn(n8n, workflow, answers);
		await until(() => sandbox.requests.of('verifyCloudConnection').length >= 2, IN_N8N);
		const [connection] = sandbox.store.cloudConnections.all();
		expect(connection).toMatchObject({ name: 'acme', awsAccountId: '123456789012' });
		expect(mail.received).toHaveLength(1);
		expect(mail.received[0].to?.[0].address).toBe('cloud@acme.example');
		expect(mail.received[0].text?.trim()).toMatch(
			/^Hello acme,\n[^]*AWS account 123456789012[^]*\nhttps:\/\/console\.example\.com\/\S+\n[^]*\nKind regards\nsales@example\.com$/,
		);
		connection.verifiesAt = 0;

		expect(String(await n8n.ended(execution))).toMatch(/: success$/);
		expect(mail.received.slice(1).map(({ subject, to }) => [subject, to?.[0].address])).toEqual([
			['acme is connected', 'sales@example.com'],
		]);
	});
});

test('whoever asks for a customer hears why the connection cannot be created', async () => {
	const { n8n, sandbox, importWorkflow } = stage();
	const mail = await stage().use(startMail());
	const recipe = 'examples/customer-onboarding.json';
	const workflow = await importWorkflow(recipe, {}, [mail.credential]);
	const answers = ['acme', '12345', 'cloud@acme.example', 'sales@example.com'];
	const { error } = await n8n.ended(await fillIn(n8n, workflow, answers));
	expect(error?.message).toMatch(/^acme is not connected; sales@example\.com /);
	expect(sandbox.store.cloudConnections.all()).toEqual([]);
	expect(mail.received.map(({ subject, to }) => [subject, to?.[0].address])).toEqual([
		['acme is not connected', 'sales@example.com'],
	]);
	expect(mail.received[0].text).toContain("'AWS Account ID'");
});

test('whoever asks for a customer hears at once that the connection cannot be checked', async () => {
	const { n8n, sandbox, importWorkflow } = stage();
	const mail = await stage().use(startMail());
	const soon = { 'Wait an hour': { amount: 1, unit: 'seconds' } };
	const recipe = 'examples/customer-onboarding.json';
	const workflow = await importWorkflow(recipe, soon, [mail.credential]);
	sandbox.faults.add({ endpoint: 'verifyCloudConnection', fault: { kind: 'status', status: 403 } });
	const answers = ['acme', '123456789012', 'cloud@acme.example', 'sales@example.com'];
	const { error } = await n8n.ended(await fillIn(n8n, workflow, answers));
	expect(error?.message).toMatch(/^acme is not connected; /);
	expect(mail.received.map(({ to }) => to?.[0].address)).toEqual([answers[2], answers[3]]);
	expect(mail.received[1].text).toMatch(/ is not connected to Wherobots Cloud\. The reason:\n\n\S/);
});

describe('an alert', () => {
	const sent = async (recipe: string) => {
		const mail = await stage().use(startMail());
		await stage().execute(await stage().importWorkflow(recipe, {}, [mail.credential]));
		return mail.received.map(({ subject, text }) => ({ subject, text: text?.trimEnd() }));
	};

	test('names the keys that expire within 14 days, whoever has them', async () => {
		const { apiKeys } = stage().sandbox.store;
		const create = (name: string, days: number) =>
			apiKeys.create({ name, expiresAt: Date.now() + days * DAY_MS });
		create('expired', -1);
		create('soon', 13);
		create('tomorrow', 1);
		create('later', 15);
		create('revoked', 5).revoked = true;
		const [alert, ...more] = await sent('examples/alert-on-expiring-keys.json');
		expect(more).toEqual([]);
		expect(alert.subject).toBe('2 API keys of Wherobots Cloud expire within 14 days');
		expect(alert.text).toMatch(
			new RegExp(`^(\\S+ \\(.+\\) expires on ${READABLE_TIME}\n){2}\n${EXECUTION_LINK}$`),
		);
		const names = String(alert.text)
			.split('\n', 2)
			.map((line) => line.split(' ')[0]);
		expect(names).toEqual(['tomorrow', 'soon']);
	});

	test('names the notebook that has been running since yesterday, and no job run', async () => {
		const { store } = stage().sandbox;
		store.createRun({ status: 'RUNNING', createTime: Date.now() - DAY_MS });
		const [alert, ...more] = await sent('examples/alert-on-idle-notebooks.json');
		expect(more).toEqual([]);
		expect(alert.subject).toBe('1 notebook or SQL session has been running for hours');
		expect(alert.text).toMatch(
			new RegExp(
				`^Notebook exploration on tiny has been running since ${READABLE_TIME}\\.\n\n${EXECUTION_LINK}$`,
			),
		);
	});
});

test('an alert on a workflow that failed says which one, where and why', async () => {
	const { n8n, sandbox, importWorkflow } = stage();
	const mail = await stage().use(startMail());
	const recipe = 'examples/alert-on-failed-workflow.json';
	const errorWorkflow = await importWorkflow(recipe, {}, [mail.credential]);
	const lists = startedByWebhook(await readWorkflow('test/e2e/workflows/list-runs.json'), 'fails');
	const settings = { ...lists.settings, errorWorkflow };
	const failing = await importWorkflow({ ...lists, settings });
	sandbox.faults.add({ endpoint: 'listRuns', times: 1, fault: { kind: 'status', status: 403 } });
	for (const id of [errorWorkflow, failing]) await n8n.activate(id);
	// n8n answers before the address is there.
	const call = async () =>
		await n8n.request('POST', '/webhook/fails', {}).then(
			() => true,
			() => false,
		);
	await until(call, IN_N8N);
	await until(() => mail.received.length > 0, IN_N8N);
	for (const id of [errorWorkflow, failing]) await n8n.deactivate(id);
	const [{ subject, text }] = mail.received;
	expect(subject).toBe('Workflow failed: List all runs');
	expect(text?.trimEnd()).toMatch(
		new RegExp(
			`\nIt failed on ${READABLE_TIME} in the node List\\.\n\nExecution in n8n: \\S+/executions/\\d+$`,
		),
	);
});

describe('an inventory', () => {
	const seeded = useStage({ seed: 'demo' });

	test('has one row for each table and view, however often it is made', async () => {
		const { n8n, sandbox, importWorkflow } = seeded();
		const workflow = await importWorkflow('examples/catalog-inventory.json');

		const execution = await seeded().execute(workflow);
		await seeded().execute(workflow);

		const rows = await rowsOf(n8n, await tableNamed(n8n, 'wherobots_inventory'));
		expect(rows).toHaveLength(execution.json('List tables').length);
		const expected = sandbox.store.catalogs
			.all()
			.flatMap((catalog) => [...catalog.namespaces.values()])
			.reduce((count, { entries }) => count + entries.size, 0);
		expect(rows).toHaveLength(expected);
		expect(rows.map(({ sql_name }) => sql_name)).toEqual(
			expect.arrayContaining([
				'org_catalog.noaa.hail',
				'org_catalog.noaa.recent_hail',
				'org_catalog.`odd.names/level two`.`with space`',
			]),
		);
	});
});
