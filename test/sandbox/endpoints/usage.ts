/** Workloads and their costs: public description of the service. */
import { z } from 'zod/v4';

import { appIdOf, costView } from '../model/runUsage';
import { statusAt } from '../model/runTypes';
import { recordTime } from '../time';
import { route } from '../server/route';
import { localTime } from '../server/validation';

/** Every requested ID is in the response exactly once; the entry of an unknown one says so. */
export const getCosts = route({
	at: 'POST /usage/costs',
	body: z.strictObject({ kubeAppIds: z.array(z.string()).min(1).max(100) }),
	handle({ env, body }) {
		const { store, timings } = env;
		const times = { timings, now: env.clock.now() };
		const costOf = (id: string) => {
			const run = store.runs.get(id.replace(/^app-/, ''));
			const cost = run && appIdOf(run) === id ? costView(run, times) : undefined;
			return cost ?? { kind: 'unavailable', kube_app_id: id, reason: 'not_found' };
		};
		return { json: { costs: Object.fromEntries(body.kubeAppIds.map((id) => [id, costOf(id)])) } };
	},
});

/** The status of a run's workload, which has no value for a run that was cancelled or timed out. */
function workloadStatus(status: string): string {
	if (status === 'PENDING' || status === 'RUNNING' || status === 'FAILED') return status;
	return status === 'COMPLETED' ? 'SUCCEEDED' : 'UNKNOWN';
}

/** A notebook that somebody has left running, and the job runs. */
export const getUsageHistory = route({
	at: 'GET /usage/history',
	query: {
		startTime: localTime.optional(),
		endTime: localTime.optional(),
		workloadType: z.enum(['JUPYTER', 'SQL_SESSION', 'RUN', 'RASTERFLOW_RUN']).optional(),
	},
	handle({ env: { store, clock }, query }) {
		const now = clock.now();
		const notebookAt = Math.floor(now / 3_600_000 - 20) * 3_600_000;
		const runs = store.runs.all().map((run) => ({
			at: run.createTime,
			...{ id: `workload-${run.id}`, name: run.payload.name, workloadType: 'RUN' },
			...{ status: workloadStatus(statusAt(run, now)), runId: run.id },
			...{ runtimeId: run.payload.runtime, regionName: run.region },
		}));
		const notebook = {
			...{ id: 'workload-notebook', name: 'exploration', workloadType: 'JUPYTER' },
			...{ status: 'RUNNING', runtimeId: 'tiny', regionName: 'aws-us-west-2', at: notebookAt },
			runId: null,
		};
		const { startTime = 0, endTime = Infinity } = query;
		return {
			json: [notebook, ...runs]
				.filter(({ at }) => at * 1000 >= startTime && at * 1000 < endTime)
				.filter((each) => !query.workloadType || each.workloadType === query.workloadType)
				.map(({ at, ...fields }) => ({
					...fields,
					...{ createTime: recordTime(at), updateTime: recordTime(at) },
					...{ startTime: recordTime(at), endTime: null, message: null },
				})),
		};
	},
});
