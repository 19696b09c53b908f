import type { Client } from '../../../nodes/Wherobots/transport/client';
import { newRunState, type RunState } from '../../../nodes/Wherobots/trigger/core/state';
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
