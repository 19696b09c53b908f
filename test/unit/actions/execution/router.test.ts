import { setImmediate } from 'node:timers/promises';

import { NodeApiError, NodeOperationError, type IExecuteFunctions } from 'n8n-workflow';

import type { Call } from '../../../../nodes/Wherobots/actions/operations/operation';
import { CancelledError, clock } from '../../../../nodes/Wherobots/transport/clock';
import { toNodeApiError } from '../../../../nodes/Wherobots/transport/failures/errors';
import {
	execute,
	failureOf,
	findOperation,
	items,
	node,
	refusal,
	running,
	turn,
} from '../../../support/runOperation';
import { until } from '../../../support/until';

it('the operation that was chosen is the one that runs', async () => {
	await running('read', 1, async () => await Promise.resolve([]));
	expect(findOperation).toHaveBeenCalledWith('the resource', 'the operation');
});

it('an operation that this version lacks is an error that asks for an update', async () => {
	findOperation.mockReturnValue(undefined);
	const context = { getNodeParameter: () => 'x', getNode: () => node };
	const error = await failureOf(execute.call(context as unknown as IExecuteFunctions));
	expect(error).toBeInstanceOf(NodeOperationError);
	expect(error).toMatchObject({
		message: 'This version of the node does not know this operation',
		description: expect.stringMatching(/newer version of n8n-nodes-wherobots\. Update the package/),
	});
});

describe.each(['read', 'write'] as const)('items of a %s', (kind) => {
	it('have their outputs in the order of the items, each paired with its item', async () => {
		const output = await running(kind, 3, async ({ itemIndex }) => {
			for (let turns = 3; turns > itemIndex; turns--) await turn();
			return itemIndex === 1 ? [] : items(`a${itemIndex}`, `b${itemIndex}`);
		});
		expect(output).toEqual(
			[0, 2].flatMap((item) =>
				items(`a${item}`, `b${item}`).map((each) => ({ ...each, pairedItem: { item } })),
			),
		);
	});

	it('that fail become error items where the node continues on failure', async () => {
		const output = await running(
			kind,
			3,
			async ({ itemIndex }) => {
				if (itemIndex === 1) throw refusal();
				return await Promise.resolve(items(itemIndex));
			},
			{ goesOn: true },
		);
		expect(output.map(({ json }) => json)).toMatchObject([
			{ name: 0 },
			{ error: { message: 'No' } },
			{ name: 2 },
		]);
		expect(output[1].pairedItem).toEqual({ item: 1 });
	});

	it('that fail otherwise make the node fail, with the number of the item', async () => {
		const error = await failureOf(
			running(kind, 3, async ({ itemIndex }) => {
				if (itemIndex === 1) throw refusal();
				return await Promise.resolve([]);
			}),
		);
		expect(error).toBeInstanceOf(NodeApiError);
		expect(error?.context.itemIndex).toBe(1);
	});

	it.each([
		['Out of memory', new Error('Out of memory')],
		['The execution was cancelled', new CancelledError()],
		['text', 'text'],
		['undefined', undefined],
		['null', null],
	])('that throw "%s" fail with a NodeOperationError', async (message, thrown) => {
		const error = await failureOf(
			running(kind, 1, async () => await Promise.reject(thrown as Error)),
		);
		expect(error).toBeInstanceOf(NodeOperationError);
		expect(error).toMatchObject({ message, context: { itemIndex: 0 } });
	});

	it("that fail in n8n itself keep the description of n8n's error", async () => {
		const thrown = Object.assign(new Error('No value'), { description: 'The node has no output' });
		const error = await failureOf(running(kind, 1, async () => await Promise.reject(thrown)));
		expect(error).toMatchObject({ message: 'No value', description: 'The node has no output' });
	});

	it('of which some pieces failed show results and errors, in order', async () => {
		const pieces = [{ item: { json: { name: 'a' } } }, { failure: refusal() }];
		const output = await running(kind, 2, async ({ itemIndex }) =>
			itemIndex === 1 ? await Promise.resolve({ pieces }) : [],
		);
		expect(output).toEqual([
			{ json: { name: 'a' }, pairedItem: { item: 1 } },
			{ json: { error: { message: 'No' } }, pairedItem: { item: 1 } },
		]);
	});

	it('name the field whose value the service refuses', async () => {
		const error = await failureOf(
			running(
				kind,
				1,
				async () => {
					const failure = { message: 'No', description: '', places: ['query.region'] };
					return await Promise.reject(toNodeApiError(node, failure));
				},
				{ requestFields: { region: { displayName: 'Region' } } },
			),
		);
		expect(error?.message).toBe("'Region': No");
	});

	it('have a limited number of outputs only when the node is a tool', async () => {
		const work = async () => await Promise.resolve(items(...Array(150).keys()));
		expect(await running(kind, 1, work, { tool: true })).toHaveLength(101);
		expect(await running(kind, 1, work)).toHaveLength(150);
	});
});

describe('reads', () => {
	it('run side by side, at most ten at once', async () => {
		const begun: number[] = [];
		let open: () => void = () => undefined;
		const gate = new Promise<void>((resolve) => (open = resolve));
		const read = running('read', 25, async ({ itemIndex }) => {
			begun.push(itemIndex);
			await gate;
			return [];
		});
		await until(() => begun.length >= 10);
		await new Promise((resolve) => setTimeout(resolve, 30));
		expect(begun).toEqual([...Array(10).keys()]);
		open();
		await read;
		expect(begun).toHaveLength(25);
	});

	it('begin one by one, each after the event loop has handled what is ready', async () => {
		const turns: Array<() => void> = [];
		jest
			.spyOn(clock, 'turn')
			.mockImplementation(async () => await new Promise((resolve) => turns.push(resolve)));
		const begun: number[] = [];
		const read = running('read', 3, async ({ itemIndex }) => {
			begun.push(itemIndex);
			return await Promise.resolve([]);
		});
		for (const expected of [[0], [0, 1], [0, 1, 2]]) {
			await setImmediate();
			expect(begun).toEqual(expected);
			turns.shift()?.();
		}
		await read;
	});

	it('are abandoned when one of them fails the node', async () => {
		const signals: Array<AbortSignal | undefined> = [];
		const work = async ({ client, itemIndex }: Call) => {
			signals.push(client.signal);
			if (itemIndex === 1) throw refusal();
			return await Promise.resolve([]);
		};
		await failureOf(running('read', 2, work));
		expect(signals.map((signal) => signal?.aborted)).toEqual([true, true]);
		signals.length = 0;
		await running('read', 2, work, { goesOn: true });
		expect(signals.map((signal) => signal?.aborted)).toEqual([false, false]);
	});
});
