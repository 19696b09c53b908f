import type { IDataObject } from 'n8n-workflow';

import type { Client } from '../../../../nodes/Wherobots/transport/client';
import { readCosts } from '../../../../nodes/Wherobots/procedures/runs/costs';

const cost = { cost: '1.50', status: 'final' };
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
