/** A sandbox with a clock that stands still, and a plain HTTP client for it. */
import axios, { type AxiosInstance } from 'axios';

import {
	ManualClock,
	startSandbox,
	type Fault,
	type Sandbox,
	type SandboxOptions,
} from '../../sandbox';

export const NOW = Date.parse('2026-11-20T12:00:00Z');

export interface Open {
	sandbox: Sandbox;
	clock: ManualClock;
	/** Clients by role; an error status is returned, never thrown. */
	admin: AxiosInstance;
	user: AxiosInstance;
	community: AxiosInstance;
}

const opened: Sandbox[] = [];

export async function open(options: SandboxOptions = {}): Promise<Open> {
	const clock = new ManualClock(NOW);
	const sandbox = await startSandbox({ clock, ...options });
	opened.push(sandbox);
	const client = (role: 'admin' | 'user' | 'community') =>
		axios.create({
			baseURL: sandbox.baseUrl,
			headers: { 'X-API-Key': sandbox.credentials[role].apiKey },
			validateStatus: () => true,
			timeout: 5_000,
		});
	return {
		sandbox,
		clock,
		admin: client('admin'),
		user: client('user'),
		community: client('community'),
	};
}

/** A sandbox with some runs, and a fault. */
export async function openWith(fault: Fault): Promise<Open> {
	const opened = await open();
	for (let index = 0; index < 5; index += 1) opened.sandbox.store.createRun();
	opened.sandbox.faults.add({ fault });
	return opened;
}

export async function closeAll(): Promise<void> {
	await Promise.all(opened.splice(0).map(async (sandbox) => await sandbox.stop()));
}

/** A payload that the service accepts. */
export const PAYLOAD = {
	name: 'hello-world',
	runtime: 'tiny',
	runPython: { uri: 's3://bucket/jobs/hello.py' },
};

/** The error code of a request that gets no complete response. */
export async function failure(
	client: AxiosInstance,
	url: string,
	timeout = 5_000,
): Promise<string> {
	try {
		await client.get(url, { timeout });
		return 'none';
	} catch (error) {
		return (error as { code: string }).code;
	}
}

/** The fields that an error body complains about. */
export function fieldsOf(data: { errors: Array<{ field: string | null }> }): Array<string | null> {
	return data.errors.map(({ field }) => field);
}
