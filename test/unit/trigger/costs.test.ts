/** How long the cost of a run is watched. */
import type { Run } from '../../../nodes/Wherobots/service/records';
import type { Client } from '../../../nodes/Wherobots/transport/client';
import { HOUR, newRunState, type TrackedRun } from '../../../nodes/Wherobots/trigger/core/cursor';
import { pollCosts } from '../../../nodes/Wherobots/trigger/costEvent';
import { jobRunSource } from '../../../nodes/Wherobots/trigger/sources';
import { refusal } from '../../support/refusal';
import { NOW, run } from './service';

const settings = { limit: '5', simplify: true };
const record = run('run-1', NOW, 'COMPLETED', { kubeApp: { id: 'app-1' } });
const ended: TrackedRun = ['run-1', 7, ['COMPLETED']];

interface Case {
	/** What the service says about the cost; undefined when it does not respond in time. */
	cost?: object;
	/** What the last poll has watched. */
	before?: Parameters<typeof pollCosts>[4];
	shown?: Run[];
	runs?: TrackedRun[];
}

async function poll({ cost, before, shown = [], runs = [ended] }: Case) {
	let hasResponse = false;
	const client = {
		serviceNow: () => NOW / 1000,
		call: async (endpoint: string) => {
			hasResponse = true;
			if (!cost) return await Promise.reject(refusal(504));
			const body = endpoint === 'getCosts' ? { costs: { 'app-1': cost } } : record;
			return await Promise.resolve(body);
		},
	} as unknown as Client;
	// Before there is a response, only n8n's clock tells the time, and it is ahead.
	const source = { ...jobRunSource(client, {}), now: () => NOW + (hasResponse ? 0 : 3 * HOUR) };
	const result = {
		state: { ...newRunState('scope', 0), runs },
		shown: shown.map((each) => ({ run: each, at: NOW })),
		changes: shown
			.filter(({ status }) => status === 'COMPLETED')
			.map((each) => ({ run: each, previousStatus: 'RUNNING' })),
		notes: [],
	};
	const { items, state } = await pollCosts(client, settings, source, result, before, {
		spent: () => !cost,
	});
	return { reported: items.map(({ json }) => json.eventId), costs: state.costs };
}

const settling = { cost: '1', status: 'settling' };
const high = { cost: '6', status: 'final' };
const unknown = { kind: 'unavailable', reason: 'upstream_error' };

/** Watched since this many hours. */
const since = (hours: number): [id: string, appId: string, at: number] => {
	return ['run-1', 'app-1', NOW - hours * HOUR];
};
const running: Case = {
	shown: [{ ...record, status: 'RUNNING' }],
	runs: [['run-1', 7, ['RUNNING']]],
};

test.each<[string, Case, unknown[]]>([
	['watched while it is active', { cost: settling, ...running }, [['run-1', 'app-1']]],
	[
		'not watched without an ID to bill',
		{ cost: high, shown: [run('run-1', NOW, 'COMPLETED')] },
		[],
	],
	[
		'not forgotten while it is not known, for a day',
		{ cost: unknown, before: [since(23)] },
		[since(23)],
	],
	['given up when it is not known for a day', { cost: unknown, before: [since(24)] }, []],
	['read later when no poll has had time for hours', { before: [since(30)] }, [since(30)]],
])('the cost of a run is %s', async (_, known, costs) => {
	expect(await poll(known)).toEqual({ reported: [], costs });
});
