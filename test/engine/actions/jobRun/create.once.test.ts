import { runNode } from '../../harness';
import { suiteWithSandbox } from '../../harness/suite';
import { pythonRun } from '../parameters';

const suite = suiteWithSandbox({ seed: 'empty' });

describe('never twice', () => {
	it.each([
		['a reset before handling', { kind: 'reset', when: 'before' }],
		['a reset after handling', { kind: 'reset', when: 'after' }],
		['status 503', { kind: 'status', status: 503 }],
		['status 500 in HTML', { kind: 'status', status: 500, body: 'html', when: 'after' }],
		['a truncated answer', { kind: 'truncate' }],
		['a web page with status 200', { kind: 'html' }],
	] as const)('sends once on %s and says what to look for', async (_, fault) => {
		suite.sandbox.faults.add({ endpoint: 'createRun', fault });
		const { error } = await runNode(suite.sandbox, pythonRun);
		expect(suite.sandbox.requests.of('createRun')).toHaveLength(1);
		expect(error?.message).toContain('it is not certain whether the request was carried out');
		expect(error?.description).toContain('look for a job run named "nightly-etl-2026"');
	});

	it.each([undefined, 1, 0.5, 'Sat, 21 Nov 2026 12:00:03 GMT'])(
		'repeats a submission that was rate limited (Retry-After: %s)',
		async (retryAfter) => {
			const fault = { kind: 'status', status: 429, retryAfter } as const;
			suite.sandbox.faults.add({ endpoint: 'createRun', times: 2, fault });
			const { error } = await runNode(suite.sandbox, pythonRun);
			expect(error).toBeUndefined();
			expect(suite.sandbox.requests.of('createRun')).toHaveLength(3);
			expect(suite.sandbox.store.runs.all()).toHaveLength(1);
			if (typeof retryAfter === 'number') {
				expect(Math.min(...suite.time.pauses)).toBeGreaterThanOrEqual(retryAfter * 1000);
			}
		},
	);

	it('reuses an active run of exactly this name, when asked to', async () => {
		const options = { reuseActive: true };
		const first = await runNode(suite.sandbox, { ...pythonRun, options });
		await runNode(suite.sandbox, { ...pythonRun, name: 'nightly-etl-2026-b' });
		const again = await runNode(suite.sandbox, { ...pythonRun, options });
		expect(again.json[0]).toMatchObject({ id: first.json[0].id, reused: true });

		suite.sandbox.clock.advance(3_600_000);
		const later = await runNode(suite.sandbox, { ...pythonRun, options });
		expect(later.json[0].id).not.toBe(first.json[0].id);
		expect(later.json[0].reused).toBe(false);
	});
});
