/** Data for demos and end-to-end tests; all times are relative to the clock. */
import type { Model } from '../server/environment';
import { seedApiKeys, seedCloudConnections, seedPresets } from './account';
import { seedAuditEvents } from './auditEvents';
import { seedCatalogs } from './catalogs';
import { Choices } from './random';
import { seedRuns } from './runs';
import { seedStorages } from './storages';
import { seedTasks } from './tasks';

export function seedDemo(env: Model): void {
	const choices = new Choices(20_260_101);
	seedRuns(env, choices);
	seedAuditEvents(env, choices);
	seedCatalogs(env);
	seedApiKeys(env);
	seedCloudConnections(env);
	seedPresets(env);
	seedStorages(env);
	seedTasks(env);
}
