/** What holds for every operation of the node, whatever it does. */
import type { INodeParameters } from 'n8n-workflow';

import { resources } from '../../../nodes/Wherobots/actions';
import { endpoints } from '../../../nodes/Wherobots/service/endpoints';
import { routes, type EndpointId, type Sandbox } from '../../sandbox';
import { cases } from './cases';
import { errorOf, ok, runNode, suiteWithSharedSandbox } from '../harness/suite';

const table = resources.flatMap((resource) =>
	resource.operations.map((operation) => ({
		key: `${resource.value} ${operation.value}`,
		resource,
		operation,
	})),
);

/** How many error items were looked at. */
let errorItems = 0;

/** What other clients ask for, and only pickers and options of the package. */
const NOT_OF_CASES = [
	...['getConfigHint', 'getMe', 'getStorageCredentials'],
	...['listEnvironmentPresets', 'listOrganizationApiKeys'],
];

const reached = new Set<EndpointId | undefined>();

const suite = suiteWithSharedSandbox();
let sandbox: Sandbox;

beforeEach(() => {
	({ sandbox } = suite);
});

afterEach(() => {
	for (const { endpoint } of sandbox.requests.all()) reached.add(endpoint);
});

function parametersOf(key: string, change: INodeParameters = {}): INodeParameters {
	const [resource, operation] = key.split(' ');
	return { resource, operation, ...cases[key].good(sandbox), ...change };
}

it('has a case for every operation, and none for others', () => {
	expect(Object.keys(cases).sort()).toEqual(table.map(({ key }) => key).sort());
});

it('lists what most people come for first, and operations by name', () => {
	expect(resources.slice(0, 3).map(({ value }) => value)).toEqual(['jobRun', 'sql', 'table']);
	for (const { operations } of resources) {
		const names = operations.map(({ name }) => name);
		expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b)));
	}
});

describe.each(table)('$key', ({ key, operation }) => {
	it('is described for people and models', () => {
		const { name, action, description } = operation;
		expect(name).toMatch(/^[A-Z]/);
		expect(action).toMatch(/^[A-Z][^A-Z]*( (API|AI)\b.*)?[^.]*$/);
		expect(action).not.toMatch(/\b(a|an|the)\b/);
		expect(description.length).toBeGreaterThan(20);
		expect(operation.fields.length).toBeGreaterThan(0);
		// A collection is described by what it offers, and a notice is a description itself.
		const described = operation.fields.filter(
			({ type }) => type !== 'collection' && type !== 'notice',
		);
		expect(described.filter((field) => !field.description)).toEqual([]);
	});

	it('returns items for each input item, paired with it', async () => {
		const input = [{ n: 0 }, { n: 1 }];
		// What creates, deletes and cancels has to find something of its own for each item.
		const each = input.map(() => parametersOf(key));
		const { items } = ok(await runNode(sandbox, alternating(each), { input }));
		expect(new Set(items.map(({ pairedItem }) => JSON.stringify(pairedItem)))).toEqual(
			new Set(['{"item":0}', '{"item":1}']),
		);
		const { endpoint, shared } = cases[key];
		expect(sandbox.requests.of(endpoint).length).toBeGreaterThanOrEqual(shared ? 1 : 2);
	});

	it('refuses bad input before anything is sent, naming the field', async () => {
		const [change, message] = cases[key].bad;
		expect((await runNode(sandbox, parametersOf(key, change))).error?.message).toContain(message);
		expect(sandbox.requests.count).toBe(0);
	});

	it('continues with the next item on failure if so configured', async () => {
		const [change, message] = cases[key].bad;
		const each = [parametersOf(key, change), parametersOf(key)];
		const { items } = ok(
			await runNode(sandbox, alternating(each), {
				input: [{ n: 0 }, { n: 1 }],
				onError: 'continueRegularOutput',
			}),
		);
		expect(errorOf(items[0])?.message).toContain(message);
		expect(items[0].pairedItem).toEqual({ item: 0 });
		expect(items.slice(1).length).toBeGreaterThan(0);
		for (const { json, pairedItem } of items.slice(1)) {
			expect(json).not.toHaveProperty('error');
			expect(pairedItem).toEqual({ item: 1 });
		}
	});

	it.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
		'returns an error item with all that is known and nothing else (%s)',
		async (onError) => {
			const { endpoint, instead } = cases[key];
			const errors = [{ message: 'Refused', details: 'Because of this test', code: 'A_CODE' }];
			for (const refused of [endpoint, instead].filter((each) => each !== undefined)) {
				const fault = { kind: 'status', status: 422, errors } as const;
				sandbox.faults.add({ endpoint: refused, fault });
			}
			const input = [{ n: 0, order: 'A-17' }];
			const result = await runNode(sandbox, parametersOf(key), { input, onError });

			const toErrors = onError === 'continueErrorOutput';
			expect(toErrors ? result.items : result.errors).toEqual([]);
			const [item, ...more] = toErrors ? result.errors : result.items;
			expect(more).toEqual([]);
			expect(item.pairedItem).toEqual({ item: 0 });
			// n8n puts the JSON of the input beside it on the error output, and only there.
			expect(item.json).toEqual({ ...(toErrors ? input[0] : {}), error: expect.any(Object) });
			expect(errorOf(item)).toMatchObject({
				message: 'Refused',
				description: expect.stringContaining('Because of this test'),
				httpCode: 422,
				codes: ['A_CODE'],
				requestId: expect.stringMatching(/./),
				...pathOf(endpoint, sandbox.requests.of(endpoint)[0].path),
			});
			errorItems += 1;
		},
	);

	it.each([400, 401, 403, 404, 409, 422, 500])(
		"fails with the service's words on status %i",
		async (status) => {
			const { endpoint, waits, instead } = cases[key];
			const parameters = parametersOf(key);
			const errors = [{ message: `Refused with ${status}`, details: 'Because of this test' }];
			const fault = { kind: 'status', status, errors } as const;
			sandbox.faults.add({ endpoint, fault });
			if (instead) sandbox.faults.add({ endpoint: instead, fault });

			const { error, items } = await runNode(sandbox, parameters);
			expect(items).toEqual([]);
			expect(`${error?.message}\n${error?.description}`).toContain(`Refused with ${status}`);
			if (waits && status === 500) return;
			expect(error?.httpCode).toBe(String(status));
			// Fewer than the attempts at a request that may pass; a log that is not there yet is read again.
			if (status < 500) expect(sandbox.requests.of(endpoint).length).toBeLessThan(5);
			expect(error?.description).toContain('Because of this test');
			expect(error?.context?.data).toMatchObject({ errors, requestId: expect.stringMatching(/./) });
		},
	);
});

it.each(Object.keys(cases).filter((key) => cases[key].also))(
	'reaches the other endpoints of %s',
	async (key) => {
		const [resource, operation] = key.split(' ');
		for (const parametersFor of cases[key].also ?? []) {
			ok(await runNode(sandbox, { resource, operation, ...parametersFor(sandbox) }));
		}
	},
);

// Not tests of their own: these come last in any order, and only when no test was left out.
afterAll(() => {
	if (errorItems < 2 * table.length) return;
	const missed = routes.map(({ endpoint }) => endpoint).filter((id) => !reached.has(id));
	expect(missed.sort()).toEqual(NOT_OF_CASES);
});

/** The values in a request's path by the names that error items give them: `run_id` is `runId`. */
function pathOf(endpoint: EndpointId, path: string): Record<string, string> {
	const names: string[] = [];
	const pattern = endpoints[endpoint as keyof typeof endpoints].path.replace(
		/\{(\w+)\}/g,
		(_, name: string) => {
			names.push(name.replace(/_./g, (text) => text[1].toUpperCase()));
			return name === 'path' ? '(.*)' : '([^/]+)';
		},
	);
	const values = new RegExp(`^${pattern}$`).exec(path)?.slice(1) ?? [];
	return Object.fromEntries(names.map((name, i) => [name, decodeURIComponent(values[i])]));
}

/** Parameters of two items in one: what differs is an expression that chooses by the item's number. */
function alternating([first, second]: INodeParameters[]): INodeParameters {
	return mix(first, second) as INodeParameters;
}

function mix(first: unknown, second: unknown): unknown {
	if (isObject(first) && isObject(second)) {
		const names = new Set([...Object.keys(first), ...Object.keys(second)]);
		return Object.fromEntries([...names].map((name) => [name, mix(first[name], second[name])]));
	}
	const [one, two] = [JSON.stringify(first ?? second), JSON.stringify(second ?? first)];
	return one === two ? first : `={{ [${one}, ${two}][$json.n] }}`;
}

function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
