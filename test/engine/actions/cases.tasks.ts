/** Uses of tasks and their runs. */
import type { Sandbox } from '../../sandbox';
import { by } from '../../support/files';
import type { OperationCase } from './cases';

const aRun = ({ store }: Sandbox, state: string) => ({
	taskRunId: by('id', store.tasks.createRun({ state }).taskRunId),
});

const byName = (value: string) => ({ __rl: true, mode: 'name', value });

const noLimit: OperationCase['bad'] = [
	{ returnAll: false, limit: 0 },
	"'Limit' must be at least 1",
];
const noRun: OperationCase['bad'] = [{ taskRunId: by('id', '..') }, "'Task Run' must not be"];
const seeded = () => ({ taskRunId: by('id', 'npqy9q19q4wlm3') });

export const taskCases: Record<string, OperationCase> = {
	'task get': {
		endpoint: 'getTask',
		good: () => ({ taskName: byName('predict_mosaic_geometries_recipe') }),
		bad: [{ taskName: byName('..') }, "'Task' must not be"],
	},
	'task getAll': { endpoint: 'listTasks', good: () => ({ limit: 1 }), bad: noLimit },
	'taskRun cancel': {
		endpoint: 'cancelTaskRun',
		good: (sandbox) => aRun(sandbox, 'RUNNING'),
		bad: noRun,
	},
	'taskRun create': {
		endpoint: 'runTask',
		good: () => ({
			taskName: byName('predict_mosaic_geometries_recipe'),
			inputsFrom: 'json',
			inputsJson: '{"aoi": "s3://sandbox-bucket/aoi.parquet"}',
		}),
		bad: [{ inputsJson: '[]' }, "'Inputs (JSON)' must be a JSON object"],
	},
	'taskRun get': { endpoint: 'getTaskRun', good: seeded, bad: noRun },
	'taskRun getCost': { endpoint: 'getTaskRunCost', good: seeded, bad: noRun },
	'taskRun getLogs': {
		endpoint: 'getTaskRunLogs',
		good: () => ({ ...seeded(), lines: 'last', lineCount: 100 }),
		bad: [{ lineCount: 0 }, "'Number of Lines' must be at least 1"],
	},
	'taskRun waitForCompletion': {
		endpoint: 'getTaskRun',
		good: () => ({ ...seeded(), waitOptions: { maxWaitMinutes: 1 } }),
		bad: [{ waitOptions: { maxWaitMinutes: 0 } }, "'Max Wait (Minutes)' must be at least 1"],
		waits: true,
	},
	'taskRun getAll': { endpoint: 'listTaskRuns', good: () => ({ limit: 2 }), bad: noLimit },
};
