/** The operations that only read, in an order in which each finds what those before have learned. */
import type { IDataObject } from 'n8n-workflow';

import { RUN_STATUSES } from '../../nodes/Wherobots/service/records/jobRun';
import { TASK_RUN_STATES } from '../../nodes/Wherobots/service/records/taskRun';
import { isNewestFirst, learn, read, text, unless } from './case';
import type { Case, EventCase, Expect } from './case';

const run = { runId: '@id {job run that has ended}' };
const catalog = { catalogId: '@id {catalog}' };
const namespace = { ...catalog, namespace: '@name {namespace}' };
const connection = { connectionId: '@id {cloud connection}' };
const storage = { storageId: '@id {managed storage}' };
const file = { ...storage, filePath: '@path {file}' };
const taskRun = { taskRunId: '@id {task run that has ended}' };
const stack = { access: 'read-only' };

const DAY = 86_400_000;
const BYTES = 100_000;
const at = (ms: number) => new Date(ms).toISOString();
const yesterday = Date.now() - DAY;

type Is = (record: IDataObject) => boolean;

const find = (records: IDataObject[], is: Is = () => true) => records.find(is) ?? {};
const every =
	(is: Is, different: string): Expect =>
	({ json }) =>
		unless(json.every(is), different);
const some =
	(is: Is, different: string): Expect =>
	({ json }) =>
		unless(json.length === 0 || json.some(is), different);

const hasRun: Is = ({ status, durationSeconds }) =>
	/^(COMPLETED|FAILED)$/.test(text(status)) && Number(durationSeconds) > 0;
const hasText: Is = ({ line }) => text(line).trim() !== '';
const isManaged: Is = ({ type }) => type === 'MANAGED';
const isView: Is = ({ tableType }) => tableType === 'VIEW';
const isSmallFile: Is = ({ type, size }) => /^file$/i.test(text(type)) && Number(size) < BYTES;

const UNKNOWN = 'the state of a run is none that is known';

const learnFile: Expect = ({ json }, known) => {
	if (!known.has('file')) known.learn({ file: find(json, isSmallFile).path });
};

const jobRuns: Case[] = [
	read('jobRun getAll', { limit: 150 }, ({ json }, known) => {
		const ended = find(json, hasRun);
		const { id = ended.id } = find(json, (each) => hasRun(each) && each.status === 'COMPLETED');
		const { id: failed } = find(json, ({ status }) => status === 'FAILED');
		known.learn({ 'job run that has ended': id, 'job run that failed': failed });
		known.learn({ 'name of a job run': ended.name, 'region of a job run': ended.region });
		if (!isNewestFirst(json, 'createTime')) return 'an older run comes before a newer one';
		if (!json.every(({ status }) => RUN_STATUSES.includes(status as never))) return UNKNOWN;
		if (ended.id === undefined && json.some(({ status }) => status === 'COMPLETED')) {
			return 'completed runs have no duration';
		}
		return unless(json.length === 0 || json.some(({ region }) => region), 'runs have no region');
	}),
	read(
		'jobRun getAll',
		{ limit: 20, filters: { name: '{name of a job run}' } },
		({ json }, known) => {
			const isNamed: Is = ({ name }) => name === known.get('name of a job run');
			return unless(json.length > 0 && json.every(isNamed), 'none or others have that name');
		},
		{ use: 'by name' },
	),
	read(
		'jobRun getAll',
		{ limit: 20, filters: { status: ['TIMED_OUT', 'FAILED'] } },
		every(({ status }) => /TIMED_OUT|FAILED/.test(text(status)), 'runs with another status'),
		{ use: 'by status' },
	),
	read(
		'jobRun getAll',
		{ returnAll: true, filters: { createdAfter: at(yesterday) } },
		every(({ createTime }) => Date.parse(text(createTime)) > yesterday - 60_000, 'older runs, too'),
		{ use: 'created after' },
	),
	read(
		'jobRun getAll',
		{ limit: 20, filters: { region: '@name {region of a job run}' } },
		({ json }, known) => {
			const isThere: Is = ({ region }) => region === known.get('region of a job run');
			return unless(json.length > 0 && json.every(isThere), 'none or runs of other regions');
		},
		{ use: 'by region' },
	),
	read(
		'jobRun get',
		run,
		every(({ region }) => region !== null, 'without a region'),
	),
	read('jobRun get', { runId: '@id n8n0live0check' }, undefined, {
		...{ use: 'that does not exist', failsWith: /There is no job run/ },
	}),
	read('jobRun waitForCompletion', { ...run, waitOptions: { onFailure: 'return' } }),
	read('jobRun waitForCompletion', { runId: '@id {job run that failed}' }, undefined, {
		...{ use: 'of a failed run', failsWith: /\S/ },
	}),
	read('jobRun getMetrics', run, ({ json: [json] }) => {
		const names = ['cost', 'spatialUnits', 'cpuUtilizationPercent', 'memoryUtilizationPercent'];
		const missing = names.filter((name) => (json?.[name] ?? null) === null);
		return unless(missing.length === 0, `without ${missing.join(', ')}`);
	}),
	read(
		'jobRun getCost',
		run,
		every(({ costSource }) => costSource !== 'metrics', 'by metrics only'),
	),
	read('jobRun getLogs', { ...run, lines: 'first', lineCount: 3_000 }, ({ json }) => {
		const times = json.map(({ time }) => Date.parse(text(time)));
		const isTime = (time: number) => time > Date.parse('2020-01-01') && time < Date.now() + DAY;
		if (!times.every(isTime)) return 'lines without a time';
		return unless(json.some(hasText), 'no lines, or lines without a text');
	}),
	read(
		'usage getAll',
		{ limit: 20, filters: { workloadType: 'RUN' } },
		some(({ runId }) => Boolean(runId), 'no workload names its run'),
	),
	read('api request', {
		apiRequest: { __rl: true, mode: 'path', value: 'GET /organization' },
		parametersFrom: 'json',
	}),
];

const auditLog: Case[] = [
	read('auditLog getAll', { limit: 150 }, ({ json }, known) => {
		const moment = Date.parse(text(json[0]?.event_time));
		if (moment) known.learn({ 'audit event': at(moment + 1_000), before: at(moment - 3_600_000) });
		return unless(isNewestFirst(json, 'event_time'), 'an older event comes before a newer one');
	}),
	read(
		'auditLog export',
		{ timeRange: 'custom', start: '{before}', end: '{audit event}' },
		({ json: [json] }) => unless(Number(json?.rows) > 0, 'no rows, although there was an event'),
	),
	read(
		'auditLog export',
		{ timeRange: 'custom', start: at(yesterday - 800 * DAY), end: at(yesterday - 799 * DAY) },
		({ json: [json] }) => unless(Number(json?.rows) === 0, 'there are rows'),
		{ use: 'without events' },
	),
	read('apiKey getAll', { limit: 20 }),
	read('apiKey getAll', { limit: 20, scope: 'own' }, undefined, { use: 'own' }),
	read('environmentOverridePreset getAll', { limit: 20 }),
];

const catalogs: Case[] = [
	read('catalog getAll', { limit: 50 }, ({ json }, known) => {
		const { id } = find(json, isManaged);
		known.learn({ catalog: id ?? find(json).id, 'managed catalog': id });
	}),
	read('catalog getHierarchy', { output: 'tables', limit: 50 }, ({ json }, known) => {
		const isKnown: Is = ({ catalogId }) => catalogId === known.get('catalog');
		return unless(json.length === 0 || json.some(isKnown), 'IDs are not those of the list');
	}),
	read('namespace getAll', { ...catalog, limit: 50 }, learn('namespace', 'name')),
	read('table getAll', { ...namespace, limit: 50 }, ({ json }, known) => {
		const table = find(json, (each) => !isView(each) && each.format !== null);
		known.learn({ table: table.name, view: find(json, isView).name });
		const isTold = json.some(({ updateTime }) => Boolean(updateTime));
		return unless(json.length === 0 || isTold, 'no table has an update time');
	}),
	read('table get', { ...namespace, table: '@name {table}' }, ({ json: [json] }) => {
		if (!Array.isArray(json?.columns) || json.columns.length === 0) return 'without columns';
		return unless(json.currentSnapshotId !== null, 'without the ID of a snapshot');
	}),
	read('view get', { ...namespace, view: '@name {view}' }),
	read('cloudConnection getAll', { limit: 20 }, learn('cloud connection', 'id')),
	read('cloudConnection get', connection),
	read('cloudConnection getCreateLink', { ...connection, stack: 'connection' }),
	...[
		{ ...stack, stack: 'storage', bucket: 'n8n-live-check' },
		{ ...stack, stack: 'glue', bindingName: 'n8n', awsRegion: 'us-west-2' },
	].map((form) =>
		read('cloudConnection downloadTemplate', { ...connection, ...form }, undefined, {
			use: form.stack,
		}),
	),
];

const files: Case[] = ['default folder', 'shared folder'].map((folder) =>
	read(
		'file getAll',
		{ ...storage, folder: `@path {${folder}}`, includeSubfolders: true, limit: 200 },
		learnFile,
		{ use: folder },
	),
);
files.push(
	read(
		'file getLink',
		file,
		every(({ expiresAt }) => Boolean(expiresAt), 'without its expiry'),
	),
	read('file download', file),
);

const tasks: Case[] = [
	read('task getAll', { returnAll: true }, learn('task', 'name')),
	read(
		'task get',
		{ taskName: '@name {task}' },
		every(({ inputSchema }) => Boolean(inputSchema), 'it does not describe its inputs'),
	),
	read('taskRun getAll', { limit: 150 }, ({ json }, known) => {
		const { taskRunId: failed } = find(json, ({ state }) => state === 'FAILED');
		const { taskRunId: id = failed } = find(json, ({ state }) => state === 'SUCCEEDED');
		known.learn({ 'task run that has ended': id });
		if (!json.every(({ state }) => TASK_RUN_STATES.includes(text(state)))) return UNKNOWN;
		return unless(isNewestFirst(json, 'submittedAt'), 'an older run comes before a newer one');
	}),
	read('taskRun get', taskRun),
	read('taskRun waitForCompletion', {
		...{ ...taskRun, waitOptions: { maxWaitMinutes: 1, onFailure: 'return' } },
	}),
	read('taskRun getCost', taskRun),
	read(
		'taskRun getLogs',
		{ ...taskRun, lines: 'first', lineCount: 500 },
		some(hasText, 'lines without a text'),
	),
	read('sqlSession getAll', { limit: 20 }),
];

export const reads: Case[] = [...jobRuns, ...auditLog, ...catalogs, ...files, ...tasks];

/** Every event, as Fetch Test Event shows it, and as an active workflow finds it. */
export const eventCases: EventCase[] = [
	{
		...{ event: 'runStatusChanged', parameters: { statuses: ['finished'] } },
		isOwn: ({ name }, known) => name === `${known.name}-fail`,
	},
	{ event: 'runExceededCost', parameters: { costLimit: '0.0001' } },
	{ event: 'runExceededDuration', parameters: { pendingMinutes: 600, runningMinutes: 600 } },
	{ event: 'taskRunExceededCost', parameters: { costLimit: '0.0001' } },
	{ event: 'taskRunExceededDuration', parameters: { pendingMinutes: 600, runningMinutes: 600 } },
	{ event: 'taskRunStateChanged', parameters: {} },
	{ event: 'auditEvent', parameters: {} },
	{
		...{ event: 'tableChanged', parameters: { watch: 'namespace', ...namespace } },
		isOwn: ({ table }, known) => text(table) === known.get('table name'),
	},
];
