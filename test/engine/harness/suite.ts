import { forgetLimiters } from '../../../nodes/Wherobots/transport/limiters';
import { ManualClock, startSandbox, type Sandbox, type SandboxOptions } from '../../sandbox';
import { liveInSandboxTime, type TestTime } from './time';

/** A sandbox for each test of a file, in whose time the package lives. */
export interface Suite {
	readonly sandbox: Sandbox;
	readonly time: TestTime;
}

/**
 * Call at the top of a test file; the parts are there while a test runs.
 *
 * @param now the time at which each test begins
 */
export function suiteWithSandbox(
	options: SandboxOptions = {},
	now = '2026-11-21T12:00:00Z',
): Suite {
	const parts = {} as { sandbox: Sandbox; time: TestTime };
	beforeEach(async () => {
		forgetLimiters();
		const clock = new ManualClock(now);
		parts.sandbox = await startSandbox({ clock, seed: 'demo', ...options });
		parts.time = liveInSandboxTime(parts.sandbox);
	});
	afterEach(async () => {
		parts.time.restore();
		await parts.sandbox.stop();
	});
	return parts;
}
