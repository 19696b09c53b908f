import type { IDataObject, INode, IPollFunctions } from 'n8n-workflow';

import { newRunState, type RunState } from '../../../nodes/Wherobots/trigger/core/cursor';
import { events } from '../../../nodes/Wherobots/trigger/poll';
import type { ConfiguredEvent } from '../../../nodes/Wherobots/trigger/event';
import { forgetAll, poll } from '../../../nodes/Wherobots/trigger/poll';
import { KEY } from '../../support/clientWith';
import { suiteInVirtualTime } from '../../support/virtualTime';

const time = suiteInVirtualTime();
const service = jest.fn<ReturnType<ConfiguredEvent['poll']>, Parameters<ConfiguredEvent['poll']>>();

events.runStatusChanged = {
	...events.runStatusChanged,
	read: () => ({ scope: {}, poll: service }),
};

/** The time that n8n's engines give a poll, by which they are told apart. */
const BUDGETS = { classic: 300_000, durable: 36_000 };

const parameters: IDataObject = { event: 'runStatusChanged', statuses: [], simplify: true };

const change = { json: { eventId: 'run/r1/PENDING' } };

/** Finds one change, whatever the state. */
const findChange: ConfiguredEvent['poll'] = async (_client, { scope, state }) =>
	await Promise.resolve({
		items: [change],
		state: newRunState(scope, ((state as RunState | undefined)?.watermark ?? 0) + 1),
		notes: ['A note'],
	});

beforeEach(() => {
	time.now = Date.parse('2026-03-01T12:00:00Z');
	forgetAll();
	service.mockReset().mockImplementation(findChange);
});

/**
 * Runs a poll on a copy of what n8n has stored, as n8n does for the first poll of an activation and, in
 * the durable engine, for every poll. Returns its items, the data it leaves to be stored, and what it logs.
 */
async function polling(stored: IDataObject, engine: keyof typeof BUDGETS = 'durable') {
	const data = structuredClone(stored);
	const warnings: string[] = [];
	const infos: string[] = [];
	const context = {
		getMode: () => 'trigger',
		getActivationMode: () => 'init',
		getWorkflow: () => ({ id: 'w1' }),
		getNode: () => ({ id: 'n1', name: 'Wherobots Trigger', type: 'wherobotsTrigger' }) as INode,
		getTimezone: () => 'UTC',
		getNodeParameter: (name: string, unset: unknown) => parameters[name] ?? unset,
		getCredentials: async () => await Promise.resolve({ apiKey: KEY }),
		getWorkflowStaticData: () => data,
		getPollBudgetMs: () => BUDGETS[engine],
		helpers: {},
		logger: {
			info: (text: string) => infos.push(text),
			warn: (text: string) => warnings.push(text),
		},
	};
	const given = await poll.call(context as unknown as IPollFunctions);
	return { given, data, infos, warnings };
}

/** What a poll has stored, after a restart of n8n. */
async function storedBefore(): Promise<IDataObject> {
	const { data } = await polling({});
	forgetAll();
	service.mockClear();
	return data;
}

describe.each([
	['no state', async () => await Promise.resolve({})],
	['the same state', storedBefore],
])('polls from %s', (_, before) => {
	test.each([0, 44_999])(
		'yield nothing when another one has just yielded what they find (%i ms later)',
		async (later) => {
			const stored = await before();
			await polling(stored);
			time.now += later;
			expect(await polling(stored)).toMatchObject({ given: null, data: stored });
		},
	);

	test.each([45_000, -45_000])(
		'find again what n8n has not stored in time (%i ms later)',
		async (later) => {
			const stored = await before();
			await polling(stored);
			time.now += later;
			expect(await polling(stored)).toMatchObject({ given: [[change]] });
		},
	);
});

test('a state that n8n had stored but no longer has is not continued', async () => {
	await polling(await storedBefore());
	time.now += 60_000;
	await polling({});
	expect(service.mock.lastCall?.[1].state).toBeUndefined();
});
