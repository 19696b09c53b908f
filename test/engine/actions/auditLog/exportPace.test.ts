import { exportDay } from '../../../support/auditExport';
import { runNode } from '../../harness';
import { suiteWithSandbox } from '../../harness/suite';

const suite = suiteWithSandbox({ seed: 'empty' }, '2026-11-21T12:34:56Z');

it('keeps the pace of the service over many files', async () => {
	// The stand-in measures the rate in real time.
	suite.time.restore();
	suite.sandbox.variants.rateLimit = { requests: 100, windowMs: 5000 };
	const begun = performance.now();
	const week = { ...exportDay, timeRange: 'lastDays', days: 7, split: 'hour' };
	const { json, error } = await runNode(suite.sandbox, week);
	expect(error).toBeUndefined();
	expect(json).toHaveLength(168);
	expect(performance.now() - begun).toBeGreaterThan(5000);
});
