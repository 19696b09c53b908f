import { createHash } from 'node:crypto';

import { type Sandbox, startSandbox } from '../sandbox';
import { type N8nServer } from './n8n/server';
import { credentialData, readWorkflow, withCredential } from './n8n/workflows';
import { daysAgo } from './suite/calendar';
import { isNewestN8n, startOwnN8n } from './suite/ownN8n';
import { useServers } from './suite/useServers';

/** The binary modes that the suite's own n8n does not use; its own is the file store. */
describe.each(['database', 'default'])('In the binary mode "%s"', (mode) => {
	const use = useServers(afterAll);
	let n8n: N8nServer;
	let sandbox: Sandbox;
	let workflow: string;

	beforeAll(async () => {
		sandbox = await use(startSandbox());
		const env = {
			N8N_DEFAULT_BINARY_DATA_MODE: mode,
			N8N_AVAILABLE_BINARY_DATA_MODES: `filesystem,${mode}`,
			N8N_BINARY_DATA_DATABASE_MAX_FILE_SIZE: '5',
		};
		n8n = await use(startOwnN8n(`binary-${mode}`, env));
		const data = credentialData(sandbox.credentials.admin.apiKey, sandbox.baseUrl);
		const credential = await n8n.api.createCredential(data);
		const read = await readWorkflow('test/e2e/workflows/export-day.json');
		workflow = await n8n.api.createWorkflow(withCredential(read, credential));
	}, 600_000);

	afterEach(() => sandbox.faults.clear());

	test('a file is stored whole, after a transfer that broke', async () => {
		const events = { bytes: 3_000_000, start: daysAgo(1), end: daysAgo(0) };
		const expected = sandbox.store.useGeneratedEvents(events).expected();
		sandbox.faults.add({
			endpoint: 'exportAuditLog',
			times: 1,
			fault: { kind: 'cut', bytes: 1_000_000, how: 'reset' },
		});

		const execution = await n8n.api.run(workflow);

		expect(String(execution)).toMatch(/: success$/);
		const [{ json, binary }] = execution.items('Export');
		expect(json).toMatchObject({ ...expected });
		const file = binary?.data;
		const bytes = file?.id
			? await n8n.api.binary(file.id)
			: Buffer.from(file?.data ?? '', 'base64');
		expect(createHash('sha256').update(bytes).digest('hex')).toBe(expected.sha256);
		expect(file?.id?.split(':')[0]).toBe(mode === 'database' ? 'database' : undefined);
	});

	// The database store of n8n 1 has no limit.
	if (mode !== 'database' || !isNewestN8n) return;

	test('a file that is too large for the store says how to make smaller ones', async () => {
		sandbox.store.useGeneratedEvents({ bytes: 6_000_000, start: daysAgo(1), end: daysAgo(0) });

		const execution = await n8n.api.run(workflow);

		expect(execution.status).toBe('error');
		expect(JSON.stringify(execution.error)).toContain("'Split Into'");
	});
});
