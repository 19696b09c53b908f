import { forgetThrottles } from '../../nodes/Wherobots/transport/throttle';
import { useServers } from '../e2e/suite/useServers';
import { credentialsFor, liveInSandboxTime } from '../engine/harness';
import { ManualClock, startSandbox, type Sandbox, type SandboxOptions } from '../sandbox';
import { readDescription, storeDescription, type Description } from './description';
import { startPrism } from './prism';
import { startRecorder, type Recorder } from './recorder';

interface SuiteOptions extends SandboxOptions {
	/** Changes the description. */
	change?(description: Description): Description;
	/** Whether Prism judges what passes through it to the sandbox; otherwise it makes up responses. */
	isProxy?: boolean;
}

interface Parts {
	sandbox: Sandbox;
	recorder: Recorder;
	/** Lead to Prism, by way of the recorder. */
	credentials: ReturnType<typeof credentialsFor>;
}

/**
 * Prism over the description, and a sandbox, for all tests of a file. Call it within `describeIfKnown`; the
 * parts are there while a test runs.
 */
export function suiteWithPrism({ change, isProxy, ...options }: SuiteOptions): Parts {
	const use = useServers(afterAll);
	const parts = {} as Parts;
	beforeAll(async () => {
		const clock = new ManualClock('2026-11-21T12:00:00Z');
		const sandbox = await use(startSandbox({ clock, ...options }));
		const time = liveInSandboxTime(sandbox);
		await use(Promise.resolve({ stop: async () => time.restore() }));
		const description = readDescription();
		const { file } = await use(storeDescription(change?.(description) ?? description));
		const prism = await use(startPrism(file, isProxy ? sandbox.baseUrl : undefined));
		const recorder = await use(startRecorder(prism.baseUrl));
		const credentials = { ...credentialsFor(sandbox), baseUrl: recorder.baseUrl };
		Object.assign(parts, { sandbox, recorder, credentials });
	});
	beforeEach(() => forgetThrottles());
	return parts;
}
