/** Some thousand audit events over the 90 days that they are kept, and a few that are older. */
import { people } from '../model/people';
import type { Store } from '../model/store';
import type { Model } from '../server/environment';
import { DAY_MS, eventTime } from '../time';
import demo from './demo.json';
import type { Choices } from './random';

const { actions, agents, resources } = demo.auditEvents;

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
			action_name: choices.of(actions),
			user_id: person.id,
			user_name: person.email ?? person.name,
			user_agent: choices.of(agents),
			source_ip: `203.0.113.${choices.between(1, 250)}`,
			resource_name: named ? choices.of(resources) : null,
			resource_id: named ? `resource-${choices.between(1, 400)}` : null,
			compute_region: choices.next() < 0.6 ? choices.of(regions) : null,
		});
	}
}
