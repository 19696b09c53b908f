import { createHash } from 'node:crypto';

import { startSandbox } from '../../sandbox';
import { daysAgo } from '../suite/calendar';
import { useServers } from '../suite/useServers';
import { Cluster } from './cluster';
import { report } from './report';

const BYTES = 50_000_000;

const use = useServers();

test('a file that a worker stores is read whole by the main process', async () => {
	const sandbox = await use(startSandbox());
	const cluster = await use(Cluster.start({ name: 'binary', workers: 1 }));
	const events = { bytes: BYTES, start: daysAgo(1), end: daysAgo(0) };
	const expected = sandbox.store.useGeneratedEvents(events).expected();
	// In the middle of the transfer, so that a part of the file is there when it begins again.
	const fault = { kind: 'cut', bytes: BYTES / 3, how: 'reset' } as const;
	sandbox.faults.add({ endpoint: 'exportAuditLog', times: 1, fault });
	const workflow = await cluster.importWorkflow('test/e2e/workflows/export-day.json', sandbox);

	const begun = Date.now();
	const execution = await cluster.api.run(workflow);
	const seconds = ((Date.now() - begun) / 1_000).toFixed(1);

	expect(String(execution)).toMatch(/: success$/);
	const [{ json, binary }] = execution.items('Export');
	expect(json).toMatchObject({ ...expected });
	const id = binary?.data.id ?? '';
	expect(id).toMatch(/^database:/);
	const stored = await cluster.api.binary(id);
	expect(createHash('sha256').update(stored).digest('hex')).toBe(expected.sha256);
	const transfers = sandbox.requests.of('exportAuditLog').length;
	const figures = [stored.length, seconds, transfers, 'equal'];
	await report('binary', ['bytes', 'seconds', 'transfers', 'checksum'], [figures]);
});
