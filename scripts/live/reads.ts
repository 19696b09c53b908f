/** What only reads, in an order in which each case finds what those before have learned. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { clock } from '../../nodes/Wherobots/transport/clock';
import { isRecord } from '../../nodes/Wherobots/service/records';
import { isMyFiles } from '../../nodes/Wherobots/service/files';
import { RUN_STATUSES } from '../../nodes/Wherobots/service/records/jobRun';
import { TASK_RUN_STATES } from '../../nodes/Wherobots/service/records/taskRun';
import { find, learn, text, use, type Case, type Expect, type Is } from './case';

const run = { runId: '@id {job run that has ended}' };
const catalog = { catalogId: '@id {catalog}' };
const namespace = { ...catalog, namespace: '@name {namespace}' };
const connection = { connectionId: '@id {cloud connection}' };
const storage = { storageId: '@id {managed storage}' };
const file = { ...storage, filePath: '@path {file}' };
const taskRun = { taskRunId: '@id {task run that has ended}' };

const DAY = 86_400_000;
const at = (ms: number) => new Date(ms).toISOString();
const yesterday = Date.now() - DAY;
const time = (value: unknown) => Date.parse(text(value));

/** Whether no record is older than the next. */
const isNewestFirst = (records: IDataObject[], field: string) =>
	records.every((record, index) => {
		const before = records[index - 1] ?? record;
		return time(record[field]) <= time(before[field]);
	}) || 'an older one comes before a newer one';

/** There are some, and a field of all is what is known by a name. */
const isKnown =
	(field: string, name: string): Expect =>
	({ json }, known) =>
		(json.length > 0 && json.every((each) => each[field] === known.get(name))) ||
		`none, or another ${field}`;

const hasRun: Is = ({ status, durationSeconds }) =>
	/^(COMPLETED|FAILED)$/.test(text(status)) && Number(durationSeconds) > 0;
const UNKNOWN = 'the state of a run is missing, or not a known one';
const isCompleted: Is = ({ status }) => status === 'COMPLETED';
const hasText: Is = ({ line }) => text(line).trim() !== '';
const isView: Is = ({ tableType }) => tableType === 'VIEW';
const isSmallFile: Is = ({ type, size }) => /^file$/i.test(text(type)) && Number(size) < 1e5;

/** What is known before anybody is asked: storages, and the smallest runtime. Each is named by its path. */
export const lookups: Case[] = [
	use('/storage', {}, ({ json }, known) => {
		const managed = find(json, ({ type, id }) => type === 'MANAGED' && !isMyFiles(text(id)));
		const { id } = find(json, ({ type, readOnly }) => type === 'INTEGRATION' && readOnly !== true);
		known.learn({ 'managed storage': managed.id, 'writable storage integration': id });
		const folder = text(managed.defaultDirectory).replace(/^\/+|\/+$/g, '');
		if (folder === '') return;
		known.learn({ 'default folder': folder, 'own folder': `${folder}/${known.get('own name')}` });
		known.learn({ 'shared folder': folder.replace(/[^/]+$/, 'shared') });
	}),
	use('/me/jupyter/lab/config-hint', {}, ({ json: [json] }, known) => {
		const { hint } = (json.runtimes ?? {}) as IDataObject;
		const [smallest] = (Array.isArray(hint) ? hint.filter(isRecord) : [])
			.map(({ id, enabled, maximumSpatialUnitsPerHour: units }) => ({ id, enabled, units }))
			.filter(({ id, enabled, units }) => id && enabled !== false && Number(units) > 0)
			.sort((one, other) => Number(one.units) - Number(other.units));
		known.learn({ runtime: smallest?.id, 'Spatial Units an hour': smallest?.units });
	}),
];

const findRuns = (special: string, filters: INodeParameters, expect: Expect): Case =>
	use(`jobRun getAll (${special})`, { limit: 20, filters }, expect);

const jobRuns: Case[] = [
	use('jobRun getAll', { limit: 150 }, ({ json }, known) => {
		const ended = find(json, hasRun);
		const { id = ended.id } = find(json, (each) => hasRun(each) && isCompleted(each));
		const { id: failed } = find(json, ({ status }) => status === 'FAILED');
		known.learn({ 'job run that has ended': id, 'job run that failed': failed });
		known.learn({ 'name of a job run': ended.name, 'region of a job run': ended.region });
		if (!json.every(({ status }) => RUN_STATUSES.includes(status as never))) return UNKNOWN;
		if (ended.id === undefined && json.some(isCompleted)) return 'completed runs have no duration';
		if (json.length > 0 && !json.some(({ region }) => region)) return 'runs have no region';
		return isNewestFirst(json, 'createTime');
	}),
	findRuns('by name', { name: '{name of a job run}' }, isKnown('name', 'name of a job run')),
	findRuns('by status', { statuses: ['TIMED_OUT', 'FAILED'] }, ({ json }) => {
		const isRight = json.every(({ status }) => /TIMED_OUT|FAILED/.test(text(status)));
		return isRight || 'runs with another status';
	}),
	use(
		'jobRun getAll (created after)',
		{ returnAll: true, filters: { createdAfter: at(yesterday) } },
		({ json }) => {
			const isRight = json.every(({ createTime }) => time(createTime) > yesterday - 60_000);
			return isRight || 'older runs, too';
		},
	),
	findRuns(
		'by region',
		{ region: '@name {region of a job run}' },
		isKnown('region', 'region of a job run'),
	),
	use('jobRun get', run, ({ json: [item] }) => item.region !== null || 'without a region'),
	use('jobRun get (that does not exist)', { runId: '@id n8n0live0check' }, /There is no job run/),
	use('jobRun waitForCompletion', { ...run, waitOptions: { onFailure: 'return' } }),
	use('jobRun waitForCompletion (of a failed run)', { runId: '@id {job run that failed}' }, /\S/),
	use('jobRun getMetrics', run, ({ json: [json] }, known) => {
		const names = ['cost', 'spatialUnits', 'cpuUtilizationPercent', 'memoryUtilizationPercent'];
		const missing = names.filter((name) => (json?.[name] ?? null) === null);
		if (missing.length > 0) return `without ${missing.join(', ')}`;
		known.learn({ 'cost by metrics': Number(json.cost) || '' });
		return Number(json.memoryUtilizationPercentMax ?? 100) > 1 || 'memory is a fraction';
	}),
	use('jobRun getCost', run, ({ json: [item] }, known) => {
		if (item.costSource === 'metrics') return 'by metrics';
		if (!known.has('cost by metrics')) return true;
		// Billing may round, or settle later.
		const factor = Number(item.cost) / Number(known.get('cost by metrics'));
		return !(factor > 10 || factor < 0.1) || 'another amount than in the metrics';
	}),
	use('jobRun getLogs', { ...run, lines: 'first', lineCount: 3_000 }, ({ json }) => {
		const times = json.map((line) => time(line.time));
		const isTime = (each: number) => each > Date.parse('2020-01-01') && each < Date.now() + DAY;
		if (!times.every(isTime)) return 'lines without a time';
		return json.some(hasText) || 'no lines, or lines without a text';
	}),
	use('usage getAll', { limit: 20, filters: { workloadType: 'RUN' } }, ({ json }) => {
		const isNamed = json.some(({ runId }) => Boolean(runId));
		return json.length === 0 || isNamed || 'no workload names its run';
	}),
	use(
		'api request',
		{ apiRequest: '@path GET /environment-preset', parametersFrom: 'json' },
		learn('environment preset', 'id'),
	),
];

const between = (start: string, end: string) => ({ timeRange: 'custom', from: start, to: end });
const LONG_AGO = [at(yesterday - 800 * DAY), at(yesterday - 799 * DAY)] as const;

const auditLog: Case[] = [
	use('auditLog getAll', { limit: 150 }, ({ json }, known) => {
		const moment = time(json[0]?.event_time);
		if (moment) known.learn({ 'audit event': at(moment + 1_000), before: at(moment - 3_600_000) });
		return isNewestFirst(json, 'event_time');
	}),
	use('auditLog export', between('{before}', '{audit event}'), ({ json: [item] }) => {
		return Number(item.rows) > 0 || 'no rows, although there was an event';
	}),
	use('auditLog export (without events)', between(...LONG_AGO), ({ json: [item] }) => {
		return Number(item.rows) === 0 || 'there are rows';
	}),
	use('apiKey getAll', { limit: 20 }),
	use('apiKey getAll (own)', { limit: 20, scope: 'own' }),
	use('environmentOverridePreset getAll', { limit: 20 }),
];

const downloadTemplate = (stack: string, form: INodeParameters): Case =>
	use(`cloudConnection downloadTemplate (${stack})`, {
		...{ ...connection, stack, access: 'read-only', ...form },
	});

const catalogs: Case[] = [
	use('catalog getAll', { limit: 50 }, ({ json }, known) => {
		const { id } = find(json, ({ type }) => type === 'MANAGED');
		known.learn({ catalog: id ?? json[0]?.id, 'managed catalog': id });
	}),
	use('catalog getHierarchy', { output: 'tables', limit: 50 }, ({ json }, known) => {
		const isThere = json.some(({ catalogId }) => catalogId === known.get('catalog'));
		return json.length === 0 || isThere || 'IDs are not those of the list';
	}),
	use('namespace getAll', { ...catalog, limit: 50 }, learn('namespace', 'name')),
	use('table getAll', { ...namespace, limit: 50 }, ({ json }, known) => {
		const table = find(json, (each) => !isView(each) && each.format !== null);
		known.learn({ table: table.name, view: find(json, isView).name });
		const isTold = json.some(({ updateTime }) => Boolean(updateTime));
		return json.length === 0 || isTold || 'no table has an update time';
	}),
	use('table get', { ...namespace, table: '@name {table}' }, ({ json: [item] }) => {
		if (!Array.isArray(item.columns) || item.columns.length === 0) return 'without columns';
		return item.currentSnapshotId !== null || 'without the ID of a snapshot';
	}),
	use('view get', { ...namespace, view: '@name {view}' }),
	use('cloudConnection getAll', { limit: 20 }, learn('cloud connection', 'id')),
	use('cloudConnection get', connection),
	use('cloudConnection getCreateLink', { ...connection, stack: 'connection' }),
	downloadTemplate('storage', { bucket: 'n8n-live-check' }),
	downloadTemplate('glue', { bindingName: 'n8n', awsRegion: 'us-west-2' }),
];

const files: Case[] = [
	...['default folder', 'shared folder'].map((folder) =>
		use(
			`file getAll (${folder})`,
			{ ...storage, folder: `@path {${folder}}`, includeSubfolders: true, limit: 200 },
			({ json }, known) => {
				if (!known.has('file')) known.learn({ file: find(json, isSmallFile).path });
			},
		),
	),
	use('file getLink', file, ({ json: [item] }) => Boolean(item.expiresAt) || 'without its expiry'),
	use('file download', file),
];

const tasks: Case[] = [
	use('task getAll', { returnAll: true }, learn('task', 'name')),
	use('task get', { taskName: '@name {task}' }, ({ json: [item] }) => {
		return Boolean(item.inputSchema) || 'it does not describe its inputs';
	}),
	use('taskRun getAll', { limit: 150 }, ({ json }, known) => {
		const { taskRunId: failed } = find(json, ({ state }) => state === 'FAILED');
		const { taskRunId: id = failed } = find(json, ({ state }) => state === 'SUCCEEDED');
		known.learn({ 'task run that has ended': id });
		if (!json.every(({ state }) => TASK_RUN_STATES.includes(text(state)))) return UNKNOWN;
		return isNewestFirst(json, 'submittedAt');
	}),
	use('taskRun get', taskRun, ({ json: [{ state, startedAt, endedAt }] }) => {
		const isLacking = state === 'SUCCEEDED' && Boolean(startedAt) && !endedAt;
		return !isLacking || 'it succeeded after it was started, and has no end';
	}),
	use('taskRun waitForCompletion', {
		...{ ...taskRun, waitOptions: { maxWaitMinutes: 1, onFailure: 'return' } },
	}),
	use('taskRun getCost', taskRun),
	use('taskRun getLogs', { ...taskRun, lines: 'first', lineCount: 500 }, ({ json }) => {
		return json.length === 0 || json.some(hasText) || 'lines without a text';
	}),
	use('sqlSession getAll', { limit: 20 }),
];

/** Every event. */
export const eventCases: Array<[event: string, parameters: INodeParameters]> = [
	['runStatusChanged', { statuses: ['finished'] }],
	['runExceededCost', { costLimit: '0.0001' }],
	['runExceededDuration', { pendingMinutes: 600, runningMinutes: 600 }],
	['taskRunExceededCost', { costLimit: '0.0001' }],
	['taskRunExceededDuration', { pendingMinutes: 600, runningMinutes: 600 }],
	['taskRunStateChanged', {}],
	['auditEvent', {}],
	['tableChanged', { watch: 'namespace', ...namespace }],
];

/** As Fetch Test Event shows them, and the first polls of an active workflow. */
const polls = eventCases.flatMap(([event, parameters]) =>
	[true, false].map(
		(isTest): Case => ({
			...use(
				`event ${event} (${isTest ? 'as a test event' : 'in an active workflow'})`,
				parameters,
			),
			work: async (account, filled) => await account.poll(event, filled, isTest),
		}),
	),
);

export const reads: Case[] = [...jobRuns, ...auditLog, ...catalogs, ...files, ...tasks, ...polls];

/** Between making something and a poll of the active workflow, for it to settle. */
const SETTLED_MS = 90_000;

/** The next poll of an active workflow, to which what was made comes: a field is what is known of it. */
export const pollMade = (event: string, field: string, made: string): Case => ({
	...use(`event ${event} (of what was made)`, Object.fromEntries(eventCases)[event]),
	expect: ({ json }, known) =>
		json.some((item) => item[field] === known.get(made)) || 'what was made did not start it',
	async work(account, parameters, known) {
		// Nothing to wait for where it was not made.
		known.get(made);
		await clock.pause(SETTLED_MS, account.connection.signal);
		return await account.poll(event, parameters, false);
	},
});
