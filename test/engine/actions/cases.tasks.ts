/** Uses of tasks and their runs, for cases.ts. */
import type { Sandbox } from '../../sandbox';
import { by } from '../../support/files';
import { dots, noLimit, use, type OperationCase } from './operationCase';

const aRunningOne = ({ store }: Sandbox) => ({
	taskRunId: by('id', store.tasks.createRun({ state: 'RUNNING' }).taskRunId),
});
const seeded = { taskRunId: by('id', 'npqy9q19q4wlm3') };
const task = { taskName: by('name', 'predict_mosaic_geometries_recipe') };
const noRun = dots('taskRunId', 'Task Run');

export const taskCases: Record<string, OperationCase> = {
	'task get': use('getTask', task, [{ taskName: by('name', '..') }, "'Task' must not be"]),
	'task getAll': use('listTasks', { limit: 1 }, noLimit),
	'taskRun cancel': use('cancelTaskRun', aRunningOne, noRun),
	'taskRun create': use(
		'runTask',
		{ ...task, inputsFrom: 'json', inputsJson: '{"aoi": "s3://sandbox-bucket/aoi.parquet"}' },
		[{ inputsJson: '[]' }, "'Inputs (JSON)' must be a JSON object"],
	),
	'taskRun get': use('getTaskRun', seeded, noRun),
	'taskRun getCost': use('getTaskRunCost', seeded, noRun),
	'taskRun getLogs': use('getTaskRunLogs', { ...seeded, lines: 'last', lineCount: 100 }, [
		{ lineCount: 0 },
		"'Number of Lines' must be at least 1",
	]),
	'taskRun waitForCompletion': use(
		'getTaskRun',
		{ ...seeded, waitOptions: { maxWaitMinutes: 1 } },
		[{ waitOptions: { maxWaitMinutes: 0 } }, "'Max Wait (Minutes)' must be at least 1"],
		{ waits: true },
	),
	'taskRun getAll': use('listTaskRuns', { limit: 2 }, noLimit),
};
