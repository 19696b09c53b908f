import type { IDataObject } from 'n8n-workflow';

import type { Client } from '../../../nodes/Wherobots/transport/client';
import { newAuditState, newRunState } from '../../../nodes/Wherobots/trigger/core/state';
import { MINUTE } from '../../../nodes/Wherobots/trigger/core/watermark';
import { pollService } from '../../../nodes/Wherobots/trigger/pollService';
import type { Settings } from '../../../nodes/Wherobots/trigger/settings';
import { suiteInVirtualTime } from '../../support/virtualTime';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const WATERMARK = NOW * 1_000 - 60 * MINUTE;
const unlimited = { spent: () => false };

const time = suiteInVirtualTime();

// The clocks of n8n and of the service agree.
beforeEach(() => {
	time.now = NOW;
});

const durations: Settings = {
	event: 'runExceededDuration',
	filter: {},
	limits: { RUNNING: 10 * MINUTE },
	simplify: true,
};
const changes: Settings = {
	event: 'runStatusChanged',
	filter: {},
	statuses: [],
	simplify: true,
	logLines: 0,
	includeCost: false,
};
const events: Settings = {
	event: 'auditEvent',
	actionNames: [],
	overlapSeconds: 300,
	settleSeconds: 30,
	output: 'perEvent',
};

/** A client of a service whose every list holds these records, in one page. */
const listing = (...items: IDataObject[]) =>
	({
		serviceNow: () => NOW,
		knowsServiceTime: true,
		call: async () => await Promise.resolve({ items, next_page: null }),
	}) as unknown as Client;

/** A run that has been running for so many minutes. */
function running(minutes: number): IDataObject {
	const startTime = new Date(NOW - minutes * 60_000).toISOString();
	return { id: `${minutes}`, name: 'nightly', status: 'RUNNING', createTime: startTime, startTime };
}

test('runs that take too long come in the order in which they began', async () => {
	const client = listing(...[20, 12, 40, 30].map(running));
	const state = newRunState('scope', WATERMARK, []);
	const { items } = await pollService(client, durations, { scope: 'scope', state }, unlimited);
	expect(items.map(({ json }) => json.id)).toEqual(['40', '30', '20', '12']);
});

test.each([
	{ settings: changes, state: newAuditState('scope', WATERMARK, 'query', []) },
	{ settings: durations, state: newAuditState('scope', WATERMARK, 'query', []) },
	{ settings: events, state: newRunState('scope', WATERMARK, []) },
])(
	'a state of the other kind is as good as none ($settings.event)',
	async ({ settings, state }) => {
		const poll = async (start: object) =>
			await pollService(listing(running(20)), settings, { scope: 'scope', ...start }, unlimited);
		expect(await poll({ state })).toEqual(await poll({}));
	},
);
