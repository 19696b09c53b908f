import type { INode } from 'n8n-workflow';

import type { CallOptions } from '../../../../nodes/Wherobots/transport/calls';
import type { Client } from '../../../../nodes/Wherobots/transport/client';
import { clock } from '../../../../nodes/Wherobots/transport/clock';
import { createRecord } from '../../../../nodes/Wherobots/transport/creation/createRecord';
import { factsOf, toNodeApiError } from '../../../../nodes/Wherobots/transport/failures/errors';
import type { Failure } from '../../../../nodes/Wherobots/transport/failures/failure';

const real = { ...clock };

beforeEach(() => {
	clock.pause = async () => await Promise.resolve();
});

afterEach(() => Object.assign(clock, real));

const NOW = Date.parse('2026-11-21T12:00:00Z');
const lost = () =>
	toNodeApiError({} as INode, { message: 'Lost', description: '', ambiguous: true });

/** Creates a catalog named "lake" with a request that ends like this. */
function creating(outcome: unknown, listed: object[] = [], canAdopt = true) {
	const asked: unknown[] = [];
	const client = {
		baseUrl: `https://${Math.random()}`,
		knowsServiceTime: true,
		serviceNow: () => NOW,
		error: (failure: Failure) => toNodeApiError({} as INode, failure),
		call: async (id: string, { body, lookFor, onSend }: CallOptions) => {
			asked.push([id, body, lookFor]);
			onSend?.();
			return await (outcome instanceof Error ? Promise.reject(outcome) : Promise.resolve(outcome));
		},
	} as unknown as Client;
	const done = createRecord(client, 'createCatalog', {
		body: { name: 'lake', type: 'MANAGED' },
		lookFor: 'a catalog named "lake"',
		kind: 'catalog',
		canAdopt,
		createdAt: ({ createTime }) => createTime,
		list: async () => await Promise.resolve(listed as never),
		agrees: ({ type }) => type === 'MANAGED',
	});
	return { done, asked };
}

const createTime = new Date(NOW).toISOString();
const mine = { id: 7, name: 'lake', type: 'MANAGED', createTime };

it('a record is what the response shows', async () => {
	const { done, asked } = creating(mine);
	expect(await done).toEqual({ record: mine, recovered: false });
	expect(asked).toEqual([
		['createCatalog', { name: 'lake', type: 'MANAGED' }, 'a catalog named "lake"'],
	]);
});

it('a record whose response was lost is found by its name, and what else it must be', async () => {
	const others = [
		{ ...mine, id: 1, name: 'sea' },
		{ ...mine, id: 2, type: 'FOREIGN' },
	];
	expect(await creating(lost(), [...others, mine]).done).toEqual({ record: mine, recovered: true });
});

it('a record with which the node cannot go on is named', async () => {
	const error = await creating(lost(), [mine], false).done.catch((reason: unknown) => reason);
	expect(factsOf(error as never).candidates).toEqual([{ id: '7', name: 'lake', createTime }]);
});

it('records of one name are created one after the other, of two names at once', async () => {
	const order: string[] = [];
	const baseUrl = `https://${Math.random()}`;
	const create = async (name: string, label: string) => {
		const client = {
			baseUrl,
			call: async () => {
				order.push(`${label} begins`);
				await new Promise((resolve) => setImmediate(resolve));
				order.push(`${label} ends`);
				return { id: label };
			},
		} as unknown as Client;
		return await createRecord(client, 'createCatalog', {
			body: { name },
			lookFor: 'a catalog',
			kind: 'catalog',
			canAdopt: true,
			createdAt: () => undefined,
			list: async () => await Promise.resolve([]),
			agrees: () => true,
		});
	};
	await Promise.all([create('lake', 'first'), create('lake', 'second'), create('sea', 'other')]);
	expect(order.slice(0, 3)).toEqual(['first begins', 'other begins', 'first ends']);
	expect(order.filter((step) => !step.startsWith('other'))).toEqual([
		...['first begins', 'first ends', 'second begins', 'second ends'],
	]);
});

it('a response that shows no record leaves open what was created', async () => {
	const { done } = creating('OK', [mine]);
	expect(await done).toEqual({ record: mine, recovered: true });
});
