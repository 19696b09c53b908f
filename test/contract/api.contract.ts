/** Every request that API: Request offers, with made-up values, held against the description by Prism. */
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

	it('offers most of what there is', () => {
		expect(requests.length).toBeGreaterThan(100);
	});

	it.each(requests.map((each) => [`${each.method} ${each.path}`, each] as const))(
		'sends %s as it is described',
		async (apiRequest, each) => {
			for (let count = 0; count < TIMES; count += 1) {
				const values = each.listParameters().map(async ({ id, schema }) => {
					const { components } = description as { components?: unknown };
					return [id, await makeUp({ ...schema, components })];
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
