/** API keys near and past their expiry, cloud connections in every state, presets. */
import { people } from '../model/people';
import type { Model } from '../server/environment';
import { credentials } from '../server/auth';
import { DAY_MS } from '../time';

export function seedApiKeys({ store, clock }: Model): void {
	const now = clock.now();
	const add = (name: string, ageDays: number, days: number, ownedBy = people.admin) =>
		store.apiKeys.create({
			name,
			createTime: now - ageDays * DAY_MS,
			expiresAt: now + days * DAY_MS,
			ownedBy,
		});
	add('n8n production', 358, 7);
	add('airflow', 363, 2, people.service);
	add('notebook of Uma', 100, 265, people.user);
	add('laptop', 30, 335);
	add('expired last month', 395, -30);
	store.apiKeys.revoke(add('leaked', 60, 305));
	// The keys that the sandbox hands out are keys like any others, except that they always work.
	for (const [role, { apiKey }] of Object.entries(credentials)) {
		if (role === 'community') continue;
		const ownedBy = role === 'user' ? people.user : people.admin;
		store.apiKeys.create({ name: `sandbox ${role}`, key: apiKey, ownedBy });
	}
}

export function seedCloudConnections({ store, clock, timings }: Model): void {
	const { cloudConnections } = store;
	const now = clock.now();
	cloudConnections.create({
		id: 'conn-production',
		name: 'Production account',
		awsAccountId: '111122223333',
		stackName: 'acme-connection',
		createdAt: now - 90 * DAY_MS,
		verifiesAt: -Infinity,
		bindings: [
			{ kind: 'storage_integration', id: 'bind-1', name: 'acme-jobs' },
			{ kind: 'glue_catalog', id: 'bind-2', name: 'lake_glue' },
			{ kind: 's3tables_catalog', id: 'bind-3', name: 'bucket_tables' },
		],
	});
	cloudConnections.create({
		id: 'conn-broken',
		name: 'Broken trust policy',
		awsAccountId: '444455556666',
		createdAt: now - 20 * DAY_MS,
		verifiesAt: Infinity,
		reason: "AccessDenied: the role's trust policy does not allow this account.",
	});
	cloudConnections.create({
		id: 'conn-new',
		name: 'New customer (stack being created)',
		awsAccountId: '777788889999',
		roleArn: null,
		managedBy: null,
		bindings: null,
		verifiesAt: now + timings.verifyMs,
	});
}

export function seedPresets({ store }: Model): void {
	store.presets.upsert({ name: 'default' }, { protected: true, createdBy: null });
	store.presets.upsert({
		name: 'large shuffle',
		driverDiskSize: 200,
		executorDiskSize: 500,
		sparkConfiguration: { 'spark.sql.shuffle.partitions': '2000' },
	});
	store.presets.upsert({ name: 'raster', executorDiskSize: 800 }, { createdBy: people.user });
	store.presets.environments.push(
		{ id: 'env-default', name: 'default', version: 'latest', protected: true },
		{ id: 'env-raster-tools', name: 'raster tools', version: 'preview', protected: false },
	);
}
