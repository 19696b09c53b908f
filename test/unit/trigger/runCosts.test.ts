import type { Client } from '../../../nodes/Wherobots/transport/client';
import { newRunState } from '../../../nodes/Wherobots/trigger/core/state';
import { HOUR } from '../../../nodes/Wherobots/trigger/core/watermark';
import { pollCosts } from '../../../nodes/Wherobots/trigger/runCosts';
import type { CostSettings } from '../../../nodes/Wherobots/trigger/settings';
import { runSource } from '../../../nodes/Wherobots/trigger/serviceSource';

const NOW = Date.parse('2026-03-01T12:00:00Z');

const SETTINGS: CostSettings = { event: 'runExceededCost', filter: {}, limit: '5', simplify: true };

const client = {
	serviceNow: () => NOW,
	call: async (endpoint: string) =>
		await Promise.resolve(
			endpoint === 'getCosts'
				? { costs: { 'app-1': { cost: '6', status: 'final' } } }
				: { id: 'run-1', status: 'COMPLETED', kubeApp: { id: 'app-1' } },
		),
} as unknown as Client;

test('a cost that there was no time to read for hours is read by a later poll', async () => {
	const ended = [['run-1', 'app-1', NOW * 1000 - 3 * HOUR]] as [[string, string, number]];
	const source = { ...runSource(client, {}), now: () => NOW * 1000 };
	const result = { state: newRunState('scope', 0, []), shown: [], changes: [] };
	const poll = async (known: Parameters<typeof pollCosts>[2], isSpent: boolean) =>
		await pollCosts(
			client,
			SETTINGS,
			known,
			source,
			{ ...result, exceeded: [], notes: [] },
			{
				spent: () => isSpent,
			},
		);
	const { items, state } = await poll({ reported: [], ended }, true);
	expect(items).toEqual([]);
	expect(state.costs).toEqual({ reported: [], ended });
	expect((await poll(state.costs, false)).items).toMatchObject([
		{ json: { id: 'run-1', cost: '6', eventId: 'run/run-1/cost' } },
	]);
});
