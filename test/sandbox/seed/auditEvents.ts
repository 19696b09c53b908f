/** Some thousand audit events over the 90 days that they are kept, and a few that are older. */
import { people } from '../model/people';
import type { Store } from '../model/store';
import type { Model } from '../server/environment';
import { DAY_MS, eventTime } from '../time';
import type { Choices } from './random';

const ACTIONS = [
	...['CREATE_JOB_RUN', 'CANCEL_JOB_RUN', 'GET_JOB_RUN_LOGS', 'CREATE_NOTEBOOK'],
	...['DESTROY_NOTEBOOK', 'CREATE_API_KEY', 'REVOKE_API_KEY', 'DELETE_TABLE', 'UPDATE_PRESET'],
];

const AGENTS = [
	'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko)',
	'curl/8.5.0',
	'python-requests/2.32 "nightly, batch"',
	'n8n',
];

const RESOURCES = ['noaa-etl', 'org_catalog.noaa.hail', 'Überblick, "final"', 'plain\nwith break'];

/** Recorded only when they are first read, because most sandboxes are never asked for them. */
export function seedAuditEvents({ store, clock, variants }: Model, choices: Choices): void {
	const now = clock.now();
	const regions = [...variants.regions];
	store.auditEvents.recordLater(() => record(store, now, regions, choices));
}

function record(store: Store, now: number, regions: string[], choices: Choices): void {
	const count = 4_200;
	const spanMs = 92 * DAY_MS;
	for (let index = 0; index < count; index += 1) {
		const ageMs = spanMs * (1 - index / count) + choices.between(0, 600_000);
		const person = choices.of([people.admin, people.user, people.service]);
		const named = choices.next() < 0.7;
		const microseconds = choices.between(0, 999);
		store.recordEvent({
			event_time: eventTime(Math.floor(now - ageMs) * 1000 + microseconds),
			action_name: choices.of(ACTIONS),
			user_id: person.id,
			user_name: person.email ?? person.name,
			user_agent: choices.of(AGENTS),
			source_ip: `203.0.113.${choices.between(1, 250)}`,
			resource_name: named ? choices.of(RESOURCES) : null,
			resource_id: named ? `resource-${choices.between(1, 400)}` : null,
			compute_region: choices.next() < 0.6 ? choices.of(regions) : null,
		});
	}
}
