import { runNode } from '../../harness';
import { suiteWithSandbox } from '../../harness/suite';
import { pythonRun } from '../parameters';

const suite = suiteWithSandbox({ seed: 'empty' });

describe('a submission', () => {
	it.each([undefined, 1, 0.5, 'Sat, 21 Nov 2026 12:00:03 GMT'])(
		'is repeated when it was rate limited, and creates one run (Retry-After: %s)',
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
});
