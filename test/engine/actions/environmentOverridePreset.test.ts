import { suiteWithSandbox } from '../harness/suite';
import { operationsOf } from './parameters';

const suite = suiteWithSandbox();

const preset = operationsOf('environmentOverridePreset');

it('creates a preset, and updates the one of the same name', async () => {
	const created = await suite.run(
		preset('upsert', {
			name: 'nightly',
			sparkConfiguration: { config: [{ key: 'spark.sql.shuffle.partitions', value: '64' }] },
			options: { driverDiskSize: 200, executorDiskSize: '={{ "300" }}' },
		}),
	);
	expect(created.json[0]).toMatchObject({ name: 'nightly', driverDiskSize: 200 });
	expect(suite.requests.of('upsertPreset')[0].body).toEqual({
		name: 'nightly',
		driverDiskSize: 200,
		executorDiskSize: 300,
		sparkConfiguration: { 'spark.sql.shuffle.partitions': '64' },
	});
	const updated = await suite.run(
		preset('upsert', {
			name: 'nightly',
			specifySparkConfiguration: 'json',
			sparkConfigurationJson: '{"spark.executor.cores": 4}',
		}),
	);
	expect(updated.json[0]).toMatchObject({
		id: created.json[0].id,
		sparkConfiguration: { 'spark.executor.cores': 4 },
	});
});

it('refuses a preset without anything to set', async () => {
	const { error } = await suite.run(preset('upsert', { name: 'x' }));
	expect(error?.message).toContain("'Name' must not be the only value");
	expect(suite.requests.count).toBe(0);
});

it('refuses Spark properties that are not text, such as a whole preset', async () => {
	const sparkConfigurationJson = '{"sparkConfiguration": {"spark.a": "1"}}';
	const json = { specifySparkConfiguration: 'json', sparkConfigurationJson };
	expect((await suite.run(preset('upsert', { name: 'x', ...json }))).error?.message).toBe(
		'\'Spark Configuration (JSON)\' has an object as "sparkConfiguration": it must be text',
	);
	expect(suite.requests.count).toBe(0);
});

it('does not advise another key for a protected preset', async () => {
	const { error } = await suite.run(
		preset('upsert', { name: 'default', options: { driverDiskSize: 200 } }),
	);
	expect(error?.httpCode).toBe('403');
	expect(error?.message).toBe("Preset 'default' is protected");
	expect(error?.description).not.toMatch(/key|admin/);
});

it('leaves out who may do what, unless the whole record is requested', async () => {
	const simple = await suite.run(preset('getAll', { returnAll: true }));
	expect(JSON.stringify(simple.json)).not.toContain('roles');
	const raw = await suite.run(preset('getAll', { returnAll: true, simplify: false }));
	const creator = raw.json[1].createdBy as { email: string; roles: unknown };
	expect(creator.roles).toBeDefined();
	expect(simple.json[1].createdBy).toBe(creator.email);
});
