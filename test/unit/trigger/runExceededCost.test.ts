import type { Run } from '../../../nodes/Wherobots/service/types';
import type { Client } from '../../../nodes/Wherobots/transport/client';
import {
	newRunState,
	type RunState,
	type TrackedRun,
} from '../../../nodes/Wherobots/trigger/core/state';
import { HOUR } from '../../../nodes/Wherobots/trigger/core/watermark';
import { pollCosts } from '../../../nodes/Wherobots/trigger/events/runExceededCost';
import { jobRunSource } from '../../../nodes/Wherobots/trigger/serviceSource';
import { refusal } from '../../support/fileClient';

const NOW = Date.parse('2026-03-01T12:00:00Z');

/** A client of a service with one run; when time is spent, every request fails. */
const clientWith = (isSpent: boolean) =>
	({
		serviceNow: () => NOW,
		call: async (endpoint: string) =>
			isSpent
				? await Promise.reject(refusal(504))
				: await Promise.resolve(
						endpoint === 'getCosts'
							? { costs: { 'app-1': { cost: '6', status: 'final' } } }
							: { id: 'run-1', status: 'COMPLETED', kubeApp: { id: 'app-1' } },
					),
	}) as unknown as Client;

test('a cost that no poll had time to read for hours is read by a later one', async () => {
	const notes = { endedAt: NOW * 1000 - 3 * HOUR, billedAs: 'app-1' };
	const before = newRunState('scope', 0, [['run-1', 0, ['COMPLETED'], notes]]);
	const poll = async (state: RunState, isSpent: boolean) => {
		const result = { state, shown: [], changes: [], exceeded: [], notes: [] };
		const client = clientWith(isSpent);
		const source = { ...jobRunSource(client, {}), now: () => NOW * 1000 };
		const settings = { limit: '5', simplify: true };
		return await pollCosts(client, settings, source, result, { spent: () => isSpent });
	};
	const { items, state: after } = await poll(before, true);
	expect(items).toEqual([]);
	expect(after).toEqual(before);
	expect((await poll(after, false)).items).toMatchObject([
		{ json: { id: 'run-1', cost: '6', eventId: 'run/run-1/cost' } },
	]);
});

describe('after its end', () => {
	const settings = { limit: '5', simplify: true };
	const run = {
		id: 'run-1',
		name: 'nightly',
		status: 'COMPLETED',
		kubeApp: { id: 'app-1' },
	} as Run;
	const budget = { spent: () => false };

	/** Polls the costs of a run whose end was seen in this poll, or some hours ago. */
	const pollOf = async (cost: unknown, hoursAgo?: number) => {
		const client = {
			serviceNow: () => NOW,
			call: async () => await Promise.resolve({ costs: { 'app-1': cost } }),
		} as unknown as Client;
		const source = { ...jobRunSource(client, {}), now: () => NOW * 1000 };
		const endedAt = NOW * 1000 - (hoursAgo ?? 0) * HOUR;
		const isNew = hoursAgo === undefined;
		const notes = isNew ? {} : { endedAt, billedAs: 'app-1' };
		const tracked: TrackedRun = ['run-1', 7, ['COMPLETED'], notes];
		const state = newRunState('scope', 0, [tracked]);
		const changes = isNew ? [{ run, previousStatus: 'RUNNING' }] : [];
		const result = { state, shown: [run], changes, exceeded: [], notes: [] };
		const polled = await pollCosts(client, settings, source, result, budget);
		return { items: polled.items.map(({ json }) => json), runs: polled.state.runs };
	};
	const forgotten = [['run-1', 7, ['COMPLETED']]];

	it('a run is watched until its cost is final', async () => {
		const watched = [['run-1', 7, ['COMPLETED'], { endedAt: NOW * 1000, billedAs: 'app-1' }]];
		const settling = { cost: '1', status: 'settling' };
		expect(await pollOf(settling)).toEqual({ items: [], runs: watched });
		expect(await pollOf({ ...settling, status: 'final' })).toEqual({ items: [], runs: forgotten });
	});

	it.each([
		['less than two hours', 1.9, true],
		['two hours', 2, false],
	])(
		'a run whose cost does not become final is watched for %s: %d',
		async (_, hours, isWatched) => {
			const { runs } = await pollOf({ cost: '1', status: 'settling' }, hours);
			expect(runs[0].length).toBe(isWatched ? 4 : 3);
		},
	);

	it('a run is watched on where only n8n knows the time, which is ahead, before the costs are read', async () => {
		let hasResponse = false;
		const client = {
			serviceNow: () => NOW,
			call: async () => {
				hasResponse = true;
				return await Promise.resolve({ costs: { 'app-1': { cost: '1', status: 'settling' } } });
			},
		} as unknown as Client;
		const now = () => NOW * 1000 + (hasResponse ? 0 : 3 * HOUR);
		const notes = { endedAt: NOW * 1000, billedAs: 'app-1' };
		const state = newRunState('scope', 0, [['run-1', 7, ['COMPLETED'], notes]]);
		const result = { state, shown: [], changes: [], exceeded: [], notes: [] };
		const source = { ...jobRunSource(client, {}), now };
		const polled = await pollCosts(client, settings, source, result, budget);
		expect(polled.state.runs).toEqual(state.runs);
	});

	it('a run is reported once, as it was shown', async () => {
		const { items, runs } = await pollOf({ cost: '6', status: 'settling' });
		expect(items).toMatchObject([{ id: 'run-1', name: 'nightly', cost: '6', costLimit: '5' }]);
		expect(runs).toEqual([['run-1', 7, ['COMPLETED'], { billedAs: '' }]]);
	});
});
