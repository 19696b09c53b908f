/** Every request that API: Request offers, with made-up values, held against the description by Prism. */
import { readFileSync } from 'node:fs';
import path from 'node:path';

import { Ajv } from 'ajv';

import { listApiRequests } from '../../nodes/Wherobots/service/apiDescription';
import { REPOSITORY } from '../../scripts/lib/paths';
import { runNode } from '../engine/harness';
import { describeIfKnown, readDescription } from './description';
import { loadFaker } from './prism';
import { suiteWithPrism } from './suite';

const description = readDescription();
const requests = listApiRequests(description as never);

const ajv = new Ajv({ strict: false, validateFormats: false, unicodeRegExp: false });

/** Different values each time. */
const TIMES = 3;

const ID = '00000000-0000-4000-8000-000000000000';

/** The method, path and parameters of each row of the table in docs/api.md. */
function readExamples(): Array<[request: string, parameters: string]> {
	const page = readFileSync(path.join(REPOSITORY, 'docs', 'api.md'), 'utf8');
	const rows = [...page.matchAll(/^\|[^|]+\| `([A-Z]+ [^`]+)` \|(?: `([^`]+)`)? \|$/gm)];
	return rows.map(([, request, parameters = '{}']) => [request, parameters]);
}

describeIfKnown('API: Request', () => {
	const suite = suiteWithPrism({ seed: 'empty' });
	let makeUp: Awaited<ReturnType<typeof loadFaker>>;

	beforeAll(async () => {
		makeUp = await loadFaker();
	});

	/** The library gives up on references at random, and returns something else then. */
	async function makeUpValid(schema: object): Promise<unknown> {
		const isValid = ajv.compile(schema);
		for (let count = 0; count < 100; count += 1) {
			const value = await makeUp(schema);
			if (isValid(value)) return value;
		}
		throw new Error(`No valid value was made up for ${JSON.stringify(schema)}.`);
	}

	/** Sends a request, and returns what the description says against it. */
	async function send(apiRequest: string, parametersJson: string) {
		const { error } = await runNode(
			suite.sandbox,
			{
				...{ resource: 'api', operation: 'request', allowChanges: true, parametersFrom: 'json' },
				apiRequest: { __rl: true, mode: 'path', value: apiRequest },
				parametersJson,
			},
			{ credentials: suite.credentials },
		);
		// Names in JSON are looked up in the description first, which describes no request for itself.
		const sent = suite.recorder.take().filter(({ path: at }) => at !== '/openapi.json');
		const problems = sent.flatMap(({ violations, status }) =>
			status === 422
				? [`refused: ${JSON.stringify(violations)} ${String(error?.description)}`]
				: [],
		);
		return { count: sent.length, problems, error };
	}

	it.each(readExamples())('the example in the documentation is true: %s', async (name, values) => {
		const found = requests.find((each) => `${each.method} ${each.path}` === name);
		const known = (found?.listParameters() ?? []).map(({ id }) => id);
		expect(known).toEqual(expect.arrayContaining(Object.keys(JSON.parse(values) as object)));
		const { count, problems } = await send(name, values.replaceAll('…', ID));
		expect([found === undefined, count, problems]).toEqual([false, 1, []]);
	});

	it('offers most of what there is, and has five examples', () => {
		expect(requests.length).toBeGreaterThan(100);
		expect(readExamples()).toHaveLength(5);
	});

	it.each(requests.map((each) => [`${each.method} ${each.path}`, each] as const))(
		'sends %s as it is described',
		async (apiRequest, each) => {
			for (let count = 0; count < TIMES; count += 1) {
				const values = each.listParameters().map(async ({ id, schema }) => {
					const { components } = description as { components?: unknown };
					// No path has an empty part.
					const least = each.path.includes(`{${id}}`) ? { minLength: 1 } : {};
					return [id, await makeUpValid({ ...schema, ...least, components })];
				});
				const parameters = Object.fromEntries(
					(await Promise.all(values)) as Array<[string, unknown]>,
				);
				const { count: sent, problems, error } = await send(apiRequest, JSON.stringify(parameters));
				expect([sent, problems, parameters]).toEqual([1, [], parameters]);
				expect(error?.message ?? '').not.toMatch(/Parameters/);
			}
		},
	);
});
