/** How long the cost of a run is watched, and when it is reported. */
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
const EVENT = ['run/run-1/cost'];

test.each<[string, Case, unknown[], unknown[]]>([
	[
		'watched while it is active',
		{
			cost: settling,
			shown: [{ ...record, status: 'RUNNING' }],
			runs: [['run-1', 7, ['RUNNING']]],
		},
		[],
		[['run-1', 'app-1']],
	],
	['watched after its end', { cost: settling, shown: [record] }, [], [['run-1', 'app-1', NOW]]],
	[
		'watched on for two hours',
		{ cost: settling, before: [['run-1', 'app-1', NOW - 1.9 * HOUR]] },
		[],
		[['run-1', 'app-1', NOW - 1.9 * HOUR]],
	],
	['given up then', { cost: settling, before: [['run-1', 'app-1', NOW - 2 * HOUR]] }, [], []],
	[
		'not watched once it is final',
		{ cost: { ...settling, status: 'final' }, shown: [record] },
		[],
		[],
	],
	[
		'not watched without an ID to bill',
		{ cost: high, shown: [run('run-1', NOW, 'COMPLETED')] },
		[],
		[],
	],
	['reported as it was shown', { cost: high, shown: [record] }, EVENT, [['run-1', '']]],
	[
		'reported although no list shows it any more',
		{ cost: high, before: [['run-1', 'app-1', NOW]], runs: [] },
		EVENT,
		[],
	],
	[
		'not reported twice',
		{ cost: high, before: [['run-1', '']], shown: [record] },
		[],
		[['run-1', '']],
	],
	[
		'not forgotten while it is not known, for a day',
		{
			cost: { kind: 'unavailable', reason: 'upstream_error' },
			before: [['run-1', 'app-1', NOW - 23 * HOUR]],
		},
		[],
		[['run-1', 'app-1', NOW - 23 * HOUR]],
	],
	[
		'given up when it is not known for a day',
		{
			cost: { kind: 'unavailable', reason: 'upstream_error' },
			before: [['run-1', 'app-1', NOW - 24 * HOUR]],
		},
		[],
		[],
	],
	[
		'read later when no poll has had time for hours',
		{ before: [['run-1', 'app-1', NOW - 30 * HOUR]] },
		[],
		[['run-1', 'app-1', NOW - 30 * HOUR]],
	],
])('the cost of a run is %s', async (_, known, reported, costs) => {
	expect(await poll(known)).toEqual({ reported, costs });
});
