/** Every request that API: Request offers, with made-up values, held against the description by Prism. */
import { Ajv } from 'ajv';

import { listApiRequests } from '../../nodes/Wherobots/service/apiDescription';
import { forgetThrottles } from '../../nodes/Wherobots/transport/throttle';
import { credentialsFor, liveInSandboxTime, runNode, type TestTime } from '../engine/harness';
import { ManualClock, startSandbox, type Sandbox } from '../sandbox';
import { findDescription, readDescription } from './description';
import { loadFaker, startPrism, type Prism } from './prism';
import { startRecorder, type Passage, type Recorder } from './recorder';

const file = findDescription();
const describeIfKnown = file ? describe : describe.skip;
const description = file ? readDescription(file) : { paths: {} };
const requests = listApiRequests(description as never);

const ajv = new Ajv({ strict: false, validateFormats: false, unicodeRegExp: false });

/** Different values each time. */
const TIMES = 3;

describeIfKnown('API: Request', () => {
	let sandbox: Sandbox;
	let prism: Prism;
	let recorder: Recorder;
	let time: TestTime;
	let makeUp: Awaited<ReturnType<typeof loadFaker>>;
	const sent: Passage[] = [];

	beforeAll(async () => {
		sandbox = await startSandbox({ clock: new ManualClock('2026-11-21T12:00:00Z'), seed: 'empty' });
		time = liveInSandboxTime(sandbox);
		makeUp = await loadFaker();
		prism = await startPrism(String(file));
		recorder = await startRecorder(prism.baseUrl);
	});

	afterAll(async () => {
		time.restore();
		await recorder.stop();
		await prism.stop();
		await sandbox.stop();
	});

	beforeEach(() => forgetThrottles());

	/** The library gives up on references at random, and returns something else then. */
	async function makeUpValid(schema: object): Promise<unknown> {
		const isValid = ajv.compile(schema);
		for (let count = 0; count < 100; count += 1) {
			const value = await makeUp(schema);
			if (isValid(value)) return value;
		}
		throw new Error(`No valid value was made up for ${JSON.stringify(schema)}.`);
	}

	it('offers most of what there is', () => {
		expect(requests.length).toBeGreaterThan(100);
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
				const { error } = await runNode(
					sandbox,
					{
						...{
							resource: 'api',
							operation: 'request',
							allowChanges: true,
							parametersFrom: 'json',
						},
						apiRequest: { __rl: true, mode: 'path', value: apiRequest },
						parametersJson: JSON.stringify(parameters),
					},
					{ credentials: { ...credentialsFor(sandbox), baseUrl: recorder.baseUrl } },
				);
				sent.splice(0, Infinity, ...recorder.take());
				const problems = sent.flatMap(({ violations, status }) =>
					status === 422
						? [`refused: ${JSON.stringify(violations)} ${String(error?.description)}`]
						: [],
				);
				expect([sent.length, problems, parameters]).toEqual([1, [], parameters]);
				expect(error?.message ?? '').not.toMatch(/Parameters/);
			}
		},
	);
});
