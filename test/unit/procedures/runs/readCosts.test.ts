import type { IDataObject } from 'n8n-workflow';

import { Failure } from '../../../../nodes/Wherobots/transport/failure';
import { MAX_COST_IDS } from '../../../../nodes/Wherobots/service/costs';
import type { Client } from '../../../../nodes/Wherobots/transport/client';
import { readCosts } from '../../../../nodes/Wherobots/procedures/runs/costs';

const cost = { cost: '1.50', status: 'final' };
const outage = new Failure({ message: 'No', description: 'Why', httpCode: '503' });
const UNEXPECTED = 'Wherobots Cloud returned an unexpected response';

/** Reads the costs of these IDs from these responses; which IDs each request asked for, and the results. */
async function reading(ids: string[], ...responses: unknown[]) {
	const asked: unknown[] = [];
	const client = {
		call: async (_: string, { body }: { body: IDataObject }) => {
			asked.push(body.kubeAppIds);
			const response = responses[asked.length - 1];
			return await (response instanceof Error
				? Promise.reject(response)
				: Promise.resolve(response));
		},
	} as unknown as Client;
	const results = await readCosts(client, ids);
	const told = [...results].map(([id, result]) => {
		if ('cost' in result) return [id, result.cost.cost];
		return [id, result.failure.message, result.isRequest === true];
	});
	return { asked, told };
}

it('costs are requested once for each ID, a hundred at a time', async () => {
	const ids = Array.from({ length: 2 * MAX_COST_IDS + 1 }, (_, index) => `app-${index}`);
	const costs = Object.fromEntries(ids.map((id, index) => [id, { ...cost, cost: `${index}.0` }]));
	const { asked, told } = await reading([...ids, 'app-0'], { costs }, { costs }, { costs });
	expect(asked).toEqual([ids.slice(0, 100), ids.slice(100, 200), ids.slice(200)]);
	expect(told).toEqual(ids.map((id, index) => [id, `${index}.0`]));
});

it.each<[string, unknown, unknown[][]]>([
	[
		'of one that is there among others',
		{ a: cost, b: 1 },
		[
			['a', '1.50'],
			['b', UNEXPECTED, false],
		],
	],
	[
		'of one that is missing',
		{ a: 1 },
		[
			['a', UNEXPECTED, false],
			['b', UNEXPECTED, false],
		],
	],
	[
		'when none can be read',
		{ a: 1, b: null },
		[
			['a', UNEXPECTED, true],
			['b', UNEXPECTED, true],
		],
	],
	[
		'without any',
		undefined,
		[
			['a', UNEXPECTED, true],
			['b', UNEXPECTED, true],
		],
	],
])('a response is an error only if nothing of it can be read: %s', async (_, costs, expected) => {
	expect((await reading(['a', 'b'], { costs })).told).toEqual(expected);
});

it('a failed request is the failure of the runs that it asked for, and of no others', async () => {
	const ids = Array.from({ length: MAX_COST_IDS + 1 }, (_, index) => `app-${index}`);
	const { told } = await reading(ids, outage, { costs: { 'app-100': cost } });
	expect(told.slice(0, 100)).toEqual(ids.slice(0, 100).map((id) => [id, 'No', true]));
	expect(told[100]).toEqual(['app-100', '1.50']);
});
