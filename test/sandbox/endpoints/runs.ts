/** Job runs: interface.md "Job runs". */
import { z } from 'zod/v4';

import { people } from '../model/people';
import { metricsText } from '../model/runUsage';
import { serialiseRun } from '../model/runViews';
import { statusAt, type RunPayload, type RunRecord } from '../model/runTypes';
import type { Environment } from '../server/environment';
import { invalid, notFound, ServiceError } from '../server/errors';
import { readPage, type PagedList } from '../server/paging';
import { route } from '../server/route';
import { logPage } from './runLogPage';
import {
	createRunBody,
	listRunsQuery,
	runLogsQuery,
	RUNTIMES,
	type ListRunsQuery,
} from './runSchemas';

/** A run that callers can already see. Throws the 404 otherwise. */
function findRun(env: Environment, id: string): RunRecord {
	const run = env.store.runs.get(id);
	if (!run || run.createTime + env.variants.runReadLagMs > env.clock.now())
		throw notFound('Run', id);
	return run;
}

/** The rules of the payload that a schema can't state, or that depend on the organization. */
function checkPayload(env: Environment, payload: RunPayload, region: string | undefined): void {
	const { variants } = env;
	if (!region && variants.requireRegion) throw invalid('query.region', 'Field required');
	if (region && !variants.regions.includes(region)) {
		throw invalid('query.region', `Must be one of ${variants.regions.join(', ')}`);
	}
	const { runtime, runPython, runJar } = payload;
	if (!runtime && variants.requireRuntime) throw invalid('body.runtime', 'Field required');
	if (runtime && !RUNTIMES.includes(runtime)) {
		throw invalid('body.runtime', `Unknown runtime '${runtime}'`);
	}
	if (!runPython === !runJar) {
		throw invalid('body.runPython', 'Exactly one of runPython or runJar must be given');
	}
}

/** The longest that a run may take, whatever it asks for. */
const LONGEST_SECONDS = 24 * 3600;

export const createRun = route({
	at: 'POST /runs',
	query: { region: z.string().optional() },
	body: createRunBody,
	paidOnly: true,
	handle({ env, query, body, caller }) {
		checkPayload(env, body, query.region);
		const run = env.store.runs.create({
			region: query.region ?? env.variants.regions[0],
			payload: {
				...body,
				runtime: body.runtime ?? 'tiny',
				timeoutSeconds: Math.min(body.timeoutSeconds, LONGEST_SECONDS),
			},
			triggeredBy: people[caller.role],
		});
		return { text: serialiseRun(run, env.clock.now(), env.variants, 'detail') };
	},
});

export const getRun = route({
	at: 'GET /runs/{run_id}',
	handle({ env, params }) {
		const run = findRun(env, params.run_id);
		return { text: serialiseRun(run, env.clock.now(), env.variants, 'detail') };
	},
});

export const cancelRun = route({
	at: 'POST /runs/{run_id}/cancel',
	handle({ env, params }) {
		const run = findRun(env, params.run_id);
		const now = env.clock.now();
		if (!env.store.runs.cancel(run)) {
			throw new ServiceError(409, {
				message: 'Run has already ended',
				details: `The status of run '${run.id}' is ${statusAt(run, now)}.`,
			});
		}
		if (env.variants.cancelBody === 'empty') return {};
		if (env.variants.cancelBody === 'null') return { text: 'null' };
		return { text: serialiseRun(run, now, env.variants, 'detail') };
	},
});

export const getRunLogs = route({
	at: 'GET /runs/{run_id}/logs',
	query: runLogsQuery,
	handle({ env, params, query }) {
		const run = findRun(env, params.run_id);
		const now = env.clock.now();
		if (env.variants.logsWhilePending === 'notFound' && statusAt(run, now) === 'PENDING') {
			throw notFound('Log of run', run.id);
		}
		return { text: logPage(run, now, query, env.variants) };
	},
});

export const getRunMetrics = route({
	at: 'GET /runs/{run_id}/metrics',
	handle({ env, params }) {
		const run = findRun(env, params.run_id);
		const now = env.clock.now();
		if (env.variants.metricsWhilePending === 'notFound' && statusAt(run, now) === 'PENDING') {
			throw notFound('Metrics of run', run.id);
		}
		return { text: metricsText(run, now, env.variants) };
	},
});

function filterOf(query: ListRunsQuery, env: Environment): (run: RunRecord) => boolean {
	const now = env.clock.now();
	const { runListLagMs } = env.variants;
	const tests: Array<(run: RunRecord) => boolean> = [];
	if (runListLagMs > 0) tests.push((run) => run.createTime + runListLagMs <= now);
	if (query.region !== undefined) tests.push((run) => run.region === query.region);
	if (query.name !== undefined) {
		const [head, tail] = query.name.split('*');
		tests.push(({ payload: { name } }) =>
			tail === undefined
				? name === head
				: name.length >= head.length + tail.length && name.startsWith(head) && name.endsWith(tail),
		);
	}
	const after = query.created_after;
	if (after !== undefined && !env.variants.ignoresCreatedAfter) {
		tests.push(({ createTime }) => createTime * 1000 > after);
	}
	if (query.status) {
		const wanted = new Set<string>(query.status);
		tests.push((run) => wanted.has(statusAt(run, now)));
	}
	return (run) => tests.every((test) => test(run));
}

export const listRuns = route({
	at: 'GET /runs',
	query: listRunsQuery,
	handle({ env, query }) {
		const now = env.clock.now();
		const paged: PagedList<RunRecord> = {
			list: env.store.runs.inOrder(env.variants.runOrder),
			keyOf: (run) => run.id,
			counts: filterOf(query, env),
		};
		const { items, ...envelope } = readPage(paged, query, env.variants);
		const texts = items.map((run) => serialiseRun(run, now, env.variants, 'item'));
		return { text: `{"items":[${texts.join(',')}],${JSON.stringify(envelope).slice(1)}` };
	},
});
