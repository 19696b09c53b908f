/** A sandbox with a clock that stands still, and a plain HTTP client for it. */
import axios, { type AxiosInstance } from 'axios';

import { ManualClock, startSandbox, type Sandbox, type SandboxOptions } from '../../sandbox';

const NOW = Date.parse('2026-11-20T12:00:00Z');

export interface Open {
	sandbox: Sandbox;
	clock: ManualClock;
	/** Clients by role; an error status is returned, never thrown. */
	admin: AxiosInstance;
	user: AxiosInstance;
}

const opened: Sandbox[] = [];

export async function open(options: SandboxOptions = {}): Promise<Open> {
	const clock = new ManualClock(NOW);
	const sandbox = await startSandbox({ clock, ...options });
	opened.push(sandbox);
	const client = (role: 'admin' | 'user') =>
		axios.create({
			baseURL: sandbox.baseUrl,
			headers: { 'X-API-Key': sandbox.credentials[role].apiKey },
			validateStatus: () => true,
			timeout: 5_000,
		});
	return { sandbox, clock, admin: client('admin'), user: client('user') };
}

export async function closeAll(): Promise<void> {
	await Promise.all(opened.splice(0).map(async (sandbox) => await sandbox.stop()));
}
