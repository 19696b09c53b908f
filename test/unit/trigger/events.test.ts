import type { IDataObject } from 'n8n-workflow';

import type { Client } from '../../../nodes/Wherobots/transport/client';
import { newAuditState, newRunState } from '../../../nodes/Wherobots/trigger/core/state';
import { MINUTE } from '../../../nodes/Wherobots/trigger/core/watermark';
import { suiteInVirtualTime } from '../../support/virtualTime';
import { watching } from './watching';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const WATERMARK = NOW * 1_000 - 60 * MINUTE;
const unlimited = { spent: () => false };

const time = suiteInVirtualTime();

// The clocks of n8n and of the service agree.
beforeEach(() => {
	time.now = NOW;
});

/** A client of a service whose every list holds these records, in one page. */
const listing = (...items: IDataObject[]) =>
	({
		serviceNow: () => NOW,
		knowsServiceTime: true,
		call: async () => await Promise.resolve({ items, next_page: null }),
	}) as unknown as Client;

/** A run that has been running for this many minutes. */
function running(minutes: number): IDataObject {
	const startTime = new Date(NOW - minutes * 60_000).toISOString();
	return { id: `${minutes}`, name: 'nightly', status: 'RUNNING', createTime: startTime, startTime };
}

/** What a poll finds, starting from an empty state. */
async function found(parameters: Record<string, unknown>, client: Client) {
	const start = { scope: 'scope', state: newRunState('scope', WATERMARK, []), most: Infinity };
	const watch = watching('runExceededDuration', parameters);
	const { items } = await watch.poll(client, start, unlimited);
	return items.map(({ json }) => json.id);
}

test('runs that take too long come in the order in which they began', async () => {
	const client = listing(...[20, 16, 40, 30].map(running));
	expect(await found({ runningMinutes: 10 }, client)).toEqual(['40', '30', '20', '16']);
});

describe('the duration limits', () => {
	const pending = { ...running(20), id: 'pending', status: 'PENDING', startTime: null };
	const client = listing(pending, running(30));

	// Every run would exceed a limit of zero.
	it.each([
		[5, 0, ['pending']],
		[0, 10, ['30']],
		[5, 10, ['30', 'pending']],
	])(
		'only count when they are not 0: pending %i, running %i',
		async (pendingMinutes, runningMinutes, ids) => {
			expect(await found({ pendingMinutes, runningMinutes }, client)).toEqual(ids);
		},
	);

	it('are refused when both are 0, naming both fields', () => {
		expect(() => watching('runExceededDuration', { pendingMinutes: 0, runningMinutes: 0 })).toThrow(
			/^'Running Longer Than \(Minutes\)' or 'Pending Longer Than \(Minutes\)' must/,
		);
	});
});

const audit = newAuditState('scope', WATERMARK, 'query');
const runs = newRunState('scope', WATERMARK, []);

test.each([
	{ event: 'runStatusChanged', state: audit },
	{ event: 'runExceededDuration', state: audit },
	{ event: 'auditEvent', state: runs },
])('a state of the other kind is ignored ($event)', async ({ event, state }) => {
	const poll = async (start: object) =>
		await watching(event, { statuses: [] }).poll(
			listing(running(20)),
			{ scope: 'scope', most: Infinity, ...start },
			unlimited,
		);
	expect(await poll({ state })).toEqual(await poll({}));
});
