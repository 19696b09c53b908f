import { createHash } from 'node:crypto';

import { startSandbox } from '../../sandbox';
import { daysAgo } from '../suite/calendar';
import { Cluster } from './cluster';
import { report, SHORT } from './report';

test('a file that a worker stores is read whole by the main process', async () => {
	const sandbox = await startSandbox();
	const cluster = await Cluster.start({ name: 'binary', workers: 1 });
	try {
		const bytes = SHORT ? 3_000_000 : 50_000_000;
		const events = { bytes, start: daysAgo(1), end: daysAgo(0) };
		const expected = sandbox.store.useGeneratedEvents(events).expected();
		// In the middle of the transfer, so that a part of the file is there when it begins again.
		sandbox.faults.add({
			endpoint: 'exportAuditLog',
			times: 1,
			fault: { kind: 'cut', bytes: bytes / 3, how: 'reset' },
		});
		const workflow = await cluster.importWorkflow('test/e2e/workflows/export-day.json', sandbox);

		const begun = Date.now();
		const execution = await cluster.api.run(workflow, 240_000);
		const seconds = ((Date.now() - begun) / 1_000).toFixed(1);

		expect(String(execution)).toMatch(/: success$/);
		const [{ json, binary }] = execution.items('Export');
		expect(json).toMatchObject({ ...expected });
		const id = binary?.data.id ?? '';
		expect(id.split(':')[0]).toBe('database');
		const stored = await cluster.api.binary(id);
		expect(createHash('sha256').update(stored).digest('hex')).toBe(expected.sha256);
		await report(
			'binary',
			['bytes', 'seconds', 'transfers', 'checksum'],
			[[stored.length, seconds, sandbox.requests.of('exportAuditLog').length, 'equal']],
		);
	} finally {
		await cluster.dispose();
		await sandbox.stop();
	}
});
