/** Audit events about the sandbox's own requests, by variant. */
import type { Caller } from '../server/auth';
import type { Environment } from '../server/environment';
import type { RequestEntry } from '../server/requestLog';
import type { Route } from '../server/route';
import { customerById } from './people';

export function auditRequest(
	env: Environment,
	route: Route,
	entry: RequestEntry,
	caller: Caller,
): void {
	if (!env.variants.auditRequests) return;
	const customer = customerById(caller.customerId);
	const client = entry.headers['x-wherobots-client'];
	env.store.auditEvents.record({
		action_name: route.endpoint.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase(),
		user_id: caller.customerId,
		user_name: customer?.email ?? customer?.name ?? null,
		user_agent: entry.headers['user-agent']?.toString() ?? null,
		source_ip: '127.0.0.1',
		resource_id: entry.path.split('/')[2] ?? null,
		compute_region: typeof entry.query.region === 'string' ? entry.query.region : null,
		client_chain: client?.toString() ?? null,
	});
}
