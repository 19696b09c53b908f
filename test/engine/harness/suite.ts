import type { INodeParameters } from 'n8n-workflow';

import { forgetOwnRuns } from '../../../nodes/Wherobots/useCases/runs/submit';
import { forgetRunPath } from '../../../nodes/Wherobots/useCases/runs/taskRuns';
import { forgetThrottles } from '../../../nodes/Wherobots/transport/throttle';
import { forgetUsual } from '../../../nodes/Wherobots/trigger/runs/usual';
import {
	ManualClock,
	startSandbox,
	type EndpointId,
	type Fault,
	type FaultHandle,
	type Sandbox,
	type SandboxOptions,
} from '../../sandbox';
import { ok, runNode, type NodeOptions, type NodeResult } from './index';
import { forgetNotes } from './notes';
import { liveInSandboxTime, type TestTime } from './time';

// What tests need beside a suite, in one import.
export * from './index';

/** A sandbox for each test of a file, in whose time the package lives; its parts are at hand. */
export type Suite = Parts & Sandbox;

/** Which requests something happens to: the first so many pass, so many are hit, those to some paths. */
interface When {
	skip?: number;
	times?: number;
	path?: RegExp;
}

class Parts {
	sandbox!: Sandbox;

	time!: TestTime;

	/** Runs a Wherobots node to its end. */
	async run(parameters: INodeParameters, options?: NodeOptions): Promise<NodeResult> {
		return await runNode(this.sandbox, parameters, options);
	}

	/** Runs a Wherobots node that must not fail. */
	async succeeds(parameters: INodeParameters, options?: NodeOptions): Promise<NodeResult> {
		return ok(await this.run(parameters, options));
	}

	/** Makes an endpoint of the service fail, with a status or in another way: each time, or when it is said. */
	fails(endpoint: EndpointId, fault: number | Fault, when?: When): FaultHandle {
		const how: Fault = typeof fault === 'number' ? { kind: 'status', status: fault } : fault;
		return this.sandbox.faults.add({ endpoint, ...when, fault: how });
	}

	/** Makes an endpoint respond with this JSON. @param when as for `fails` */
	responds(endpoint: EndpointId, json: unknown, when?: When): FaultHandle {
		return this.fails(endpoint, { kind: 'replace', body: JSON.stringify(json) }, when);
	}

	/** Changes the JSON that an endpoint responds with. @param when as for `fails` */
	edits(endpoint: EndpointId, edit: (json: never) => unknown, when?: When): FaultHandle {
		return this.fails(endpoint, { kind: 'edit', edit }, when);
	}

	/** A storage that the service has. */
	storage(id = 'stor-acme') {
		return this.sandbox.store.storages.existing(id);
	}
}

const NOW = '2026-11-21T12:00:00Z';

/**
 * A sandbox for each test. Call at the top of a test file; the parts are there while a test runs.
 *
 * @param now the time at which each test begins
 */
export function suiteWithSandbox(options: SandboxOptions = {}, now = NOW): Suite {
	const parts = new Parts() as Suite;
	beforeEach(async () => {
		forgetAll();
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
	const parts = new Parts() as Suite;
	beforeAll(async () => {
		Object.assign(parts, await start(options, now));
	});
	beforeEach(() => {
		forgetAll();
		parts.sandbox.faults.clear();
		parts.sandbox.requests.clear();
		parts.time.pauses.length = 0;
	});
	afterAll(async () => await stop(parts));
	return parts;
}

/** As a restart of n8n with a new database does. */
function forgetAll(): void {
	forgetNotes();
	forgetThrottles();
	forgetOwnRuns();
	forgetRunPath();
	forgetUsual();
}

async function start(
	options: SandboxOptions,
	now: string,
): Promise<Sandbox & Pick<Suite, 'sandbox' | 'time'>> {
	const sandbox = await startSandbox({ clock: new ManualClock(now), seed: 'demo', ...options });
	return { ...sandbox, sandbox, time: liveInSandboxTime(sandbox) };
}

async function stop({ sandbox, time }: Pick<Suite, 'sandbox' | 'time'>): Promise<void> {
	time.restore();
	await sandbox.stop();
}
