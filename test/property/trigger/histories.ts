import * as fc from 'fast-check';

import * as auditCore from '../../../nodes/Wherobots/trigger/core/newRecords';
import * as runCore from '../../../nodes/Wherobots/trigger/core/runPoll';
import * as tableCore from '../../../nodes/Wherobots/trigger/core/tables';
import { runs } from '../../support/runs';
import * as costs from '../../../nodes/Wherobots/trigger/runs/costPoll';
import { auditHistories, AuditTrial } from './model/auditHistory';
import { CostTrial, JOB_COSTS, TASK_COSTS } from './model/costHistory';
import { runHistories, RunTrial, TASK_RUNS } from './model/runHistory';
import { tableHistories, TableTrial } from './model/tableHistory';

export const STEPS = 45;

/** The tests run the same histories each time, so that they fail only for what has changed. */
export const SEED = 20_261_122;

/** How many histories the tests run. */
export const HISTORIES = Number(process.env.TRIGGER_HISTORIES ?? runs(40, 1000));

const taskHistories = runHistories(STEPS, { latest: 3400, misses: true }).map((history) => ({
	...history,
	style: { ...history.style, order: 'newestFirst' as const, cursors: 'offset' as const },
}));

/** Whatever happens to the service and to n8n, nothing is lost, and nothing comes twice. */
export const PROPERTIES = {
	runs: fc.asyncProperty(runHistories(STEPS), async (history) => {
		await new RunTrial(runCore, history).run();
	}),
	tasks: fc.asyncProperty(taskHistories, async (history) => {
		await new RunTrial(runCore, history, TASK_RUNS).run();
	}),
	costs: fc.asyncProperty(runHistories(STEPS), async (history) => {
		await new CostTrial(runCore, costs, history, JOB_COSTS).run();
	}),
	taskCosts: fc.asyncProperty(taskHistories, async (history) => {
		await new CostTrial(runCore, costs, history, TASK_COSTS).run();
	}),
	tables: fc.asyncProperty(tableHistories(STEPS), async (history) => {
		await new TableTrial(tableCore, history).run();
	}),
	audit: fc.asyncProperty(auditHistories(STEPS), async (history) => {
		await new AuditTrial(auditCore, history).run();
	}),
};
