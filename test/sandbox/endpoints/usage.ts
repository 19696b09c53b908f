/** Run metrics and workload costs: public description of the service. */
import { appIdOf, costView, metricsText } from '../model/runUsage';
import { statusAt } from '../model/runTypes';
import { notFound } from '../server/errors';
import { route, type Route } from '../server/route';
import { strictObject } from '../server/validation';
import { findRun } from './runs';

const getRunMetrics = route({
	endpoint: 'getRunMetrics',
	success: 200,
	handle({ env, params }) {
		const run = findRun(env, params.run_id);
		const now = env.clock.now();
		if (env.variants.metricsWhilePending === 'notFound' && statusAt(run, now) === 'PENDING') {
			throw notFound('Metrics of run', run.id);
		}
		return { text: metricsText(run, now, env.variants) };
	},
});

/** Every ID that was asked for is in the response exactly once; unknown ones say so inside it. */
const getCosts = route<never, { kubeAppIds: string[] }>({
	endpoint: 'getCosts',
	success: 200,
	body: strictObject(
		{ kubeAppIds: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 100 } },
		['kubeAppIds'],
	),
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

export const usageRoutes: Route[] = [getRunMetrics, getCosts];
