import { forgetThrottles } from '../../../nodes/Wherobots/transport/throttle';
import { ManualClock, startSandbox, type Sandbox, type SandboxOptions } from '../../sandbox';
import { liveInSandboxTime, type TestTime } from './time';

/** A sandbox for each test of a file, in whose time the package lives. */
export interface Suite {
	readonly sandbox: Sandbox;
	readonly time: TestTime;
}

const NOW = '2026-11-21T12:00:00Z';

/**
 * A sandbox for each test. Call at the top of a test file; the parts are there while a test runs.
 *
 * @param now the time at which each test begins
 */
export function suiteWithSandbox(options: SandboxOptions = {}, now = NOW): Suite {
	const parts = {} as { sandbox: Sandbox; time: TestTime };
	beforeEach(async () => {
		forgetThrottles();
		Object.assign(parts, await start(options, now));
	});
	afterEach(async () => await stop(parts));
	return parts;
}

/**
 * One sandbox for all tests of a file, for those that need much data or come in hundreds. Each test
 * finds it without faults, and with empty lists of requests and pauses; what earlier ones stored
 * stays.
 *
 * @param now the time at which the first test begins
 */
export function suiteWithSharedSandbox(options: SandboxOptions = {}, now = NOW): Suite {
	const parts = {} as { sandbox: Sandbox; time: TestTime };
	beforeAll(async () => {
		Object.assign(parts, await start(options, now));
	});
	beforeEach(() => {
		forgetThrottles();
		parts.sandbox.faults.clear();
		parts.sandbox.requests.clear();
		parts.time.pauses.length = 0;
	});
	afterAll(async () => await stop(parts));
	return parts;
}

async function start(options: SandboxOptions, now: string): Promise<Suite> {
	const sandbox = await startSandbox({ clock: new ManualClock(now), seed: 'demo', ...options });
	return { sandbox, time: liveInSandboxTime(sandbox) };
}

async function stop({ sandbox, time }: Suite): Promise<void> {
	time.restore();
	await sandbox.stop();
}
