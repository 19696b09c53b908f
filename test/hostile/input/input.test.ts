/** Every field of every operation, and of the trigger × values that nobody should have put there. */
import type { INodeParameters, INodeProperties } from 'n8n-workflow';

import { resources } from '../../../nodes/Wherobots/actions';
import { forgetThrottles } from '../../../nodes/Wherobots/transport/throttle';
import { properties as triggerProperties } from '../../../nodes/Wherobots/trigger/poll';
import { cases } from '../../engine/actions/cases';
import { ActiveTrigger } from '../../engine/harness/polling';
import { suiteWithSandbox } from '../../engine/harness/suite';
import { observeExchanges, type EndpointId, type Exchange } from '../../sandbox';
import { by, inMemory } from '../../support/files';
import { DEEP, runs } from '../../support/runs';
import { leavesOf, withNeeds, type Leaf } from './fields';
import { namesField, problemsOf, type Shown } from './judge';
import { hostileValues, type HostileValue } from './values';

const suite = suiteWithSandbox();
let exchanges: Exchange[] = [];
let stop: () => void;

beforeAll(() => {
	stop = observeExchanges((exchange) => exchanges.push(exchange));
});

afterAll(() => stop());

beforeEach(() => {
	// Whether a statement can be executed is not the question here.
	suite.sql.answer(/[^]*/, { rows: [{ one: 1 }] });
	suite.variants.sqlGeoJsonWithoutGeometry = 'null';
});

/** What one use of an operation, or of the trigger, came to. */
type Use = (parameters: INodeParameters, hostile?: HostileValue) => Promise<Shown[]>;

const table = resources.flatMap((resource) =>
	resource.operations.map((operation) => ({
		key: `${resource.value} ${operation.value}`,
		operation,
	})),
);

/** What makes an operation read a field, by patterns of `resource operation field`. */
const MORE: Array<[RegExp, INodeParameters]> = [
	[/^(jobRun|taskRun) getLogs /, { output: 'file' }],
	[/^table (getRows|deleteRows) geometryColumn$/, { boundingBox: '0, 0, 1, 1' }],
	[
		/^table (getRows|deleteRows) (latitude|longitude|distance)$/,
		{ latitude: '50', longitude: '7', distance: '9' },
	],
	[/^table (insert|upsert)Rows options\.latitudeField$/, { options: { longitudeField: 'lon' } }],
	[/^table (insert|upsert)Rows options\.longitudeField$/, { options: { latitudeField: 'lat' } }],
	[/^table loadFile options\.latitudeColumn$/, { options: { longitudeColumn: 'id' } }],
	[/^table loadFile options\.longitudeColumn$/, { options: { latitudeColumn: 'id' } }],
	[
		/^sql executeQuery (storageId|targetFolder|storedFormat|oneFile)$/,
		{ output: 'storage', storageId: by('id', 'stor-acme'), targetFolder: by('path', 'a') },
	],
	[/^jobRun create storageId$/, { pythonUri: by('path', 'jobs/nightly_etl.py') }],
	[/^table getRows until$/, { since: by('name', '3051729675574597004') }],
	[/^(sql executeQuery|table getRows) options\.(fileName|binaryPropertyName)$/, { output: 'csv' }],
	[/^sql executeQuery options\.deduplicationKey$/, { readOnly: false, query: 'DELETE FROM a.b.c' }],
];

const NOTEBOOK = JSON.stringify({
	cells: [{ cell_type: 'code', source: 'one = 1', metadata: { tags: ['parameters'] } }],
});

function useOperation(key: string): Use {
	const [resource, operation] = key.split(' ');
	return async (parameters, hostile) => {
		const isNotebook = parameters.programFrom === 'notebook';
		const file = isNotebook ? inMemory(NOTEBOOK, 'job.ipynb') : inMemory('print()', 'job.py');
		const { error } = await suite.run(
			{ resource, operation, ...parameters },
			{ input: [{ value: hostile?.value as never, lat: 50, lon: 7 }], files: [file] },
		);
		return error ? [error] : [];
	};
}

/** The value as the form holds it: an expression, as it comes from other nodes. */
const asExpression = ({ expression }: HostileValue) => expression ?? '={{ $json.value }}';

/** Of so many values one is tried in a field, another one in the next field. */
const ONE_OF = runs(15, 1);

/**
 * How much of the processor a value may take, with all that the engine and the sandbox do: far more than
 * any needs, and far less than 100 kB do in a pattern that is not linear.
 */
const LONGEST_MS = 2_500;

let fields = 0;

function valuesOfNextField(): HostileValue[] {
	const first = fields++;
	return hostileValues.filter((_, at) => (first + at) % ONE_OF === 0);
}

/** Tries values in one field, and says what is wrong. */
async function tryField(
	leaf: Leaf,
	use: Use,
	parametersFor: (hostile: HostileValue) => INodeParameters,
	allowed: ReadonlySet<EndpointId>,
): Promise<string[]> {
	const problems: string[] = [];
	let isRead = false;
	for (const hostile of valuesOfNextField()) {
		forgetThrottles();
		exchanges = [];
		const parameters = parametersFor(hostile);
		exchanges = [];
		const began = process.cpuUsage();
		const errors = await use(parameters, hostile);
		const { user, system } = process.cpuUsage(began);
		const tookMs = (user + system) / 1_000;
		isRead ||= errors.some(({ message }) => namesField(leaf, message));
		const found = problemsOf({ leaf, hostile, errors, exchanges, allowed });
		if (tookMs > LONGEST_MS) found.push(`it took ${Math.round(tookMs)} ms`);
		problems.push(...found.map((what) => `${leaf.path} = ${hostile.name}: ${what}`));
	}
	// Each kind of field refuses some of these values.
	if (DEEP && !isRead)
		problems.push(`${leaf.path}: no value was refused, so it may not have been read`);
	return problems;
}

describe.each(table)('$key', ({ key, operation }) => {
	const { good, also = [] } = cases[key];
	const uses = [good, ...also];
	const fields: INodeProperties[] = operation.fields;
	const leaves = leavesOf(fields);
	// What explains that something is not there.
	const explaining: EndpointId[] = /^file |^jobRun create$/.test(key) ? ['listDirectory'] : [];
	const { instead } = cases[key];
	if (instead) explaining.push(instead);
	if (/^table (insert|upsert)Rows$/.test(key)) explaining.push('getView');

	it('makes a right request of any value, or names the field', async () => {
		const use = useOperation(key);
		const bases = uses.map((parametersFor) => parametersFor(suite.sandbox));
		const allowed = new Set<EndpointId>(explaining);
		const learn = async (parameters: INodeParameters) => {
			exchanges = [];
			await use(parameters);
			for (const { request } of exchanges) if (request.endpoint) allowed.add(request.endpoint);
		};
		for (const base of bases) await learn(base);

		const problems: string[] = [];
		// What one switch makes an operation do, another field may, too.
		for (const leaf of leaves) {
			if (leaf.type !== 'boolean') continue;
			await learn(leaf.set(withNeeds(fields, leaf, good(suite.sandbox)), true));
		}
		for (const leaf of leaves) {
			const base = Math.max(
				0,
				bases.findIndex((candidate) => holds(leaf, candidate)),
			);
			const fresh = () =>
				withNeeds(fields, leaf, {
					...uses[base](suite.sandbox),
					...MORE.find(([pattern]) => pattern.test(`${key} ${leaf.path}`))?.[1],
				});
			await learn(fresh());
			problems.push(
				...(await tryField(
					leaf,
					use,
					(hostile) => leaf.set(fresh(), asExpression(hostile)),
					allowed,
				)),
			);
		}
		expect(problems).toEqual([]);
	}, 300_000);
});

function holds({ needs }: Leaf, parameters: INodeParameters): boolean {
	return Object.entries(needs).every(([name, value]) => parameters[name] === value);
}

describe('the trigger', () => {
	const allowed = new Set<EndpointId>([
		'listRuns',
		'getRun',
		'getRunLogs',
		'getCosts',
		'listTaskRuns',
		'getTaskRun',
		'queryAuditLog',
		'exportAuditLog',
		'listTables',
		'getTable',
	]);
	const byId = (value: string) => ({ __rl: true, mode: 'id', value });
	const table = { catalogId: byId('cat-org'), namespace: byId('noaa'), table: byId('hail') };
	const good = { ...table, costLimit: '25' };

	it('makes a right request of any value, or names the field', async () => {
		const use: Use = async (parameters) => {
			const trigger = new ActiveTrigger(suite.sandbox, parameters);
			const failed = await trigger.activate().then(
				() => undefined,
				(error: unknown) => error as Shown,
			);
			return failed ? [failed] : [];
		};
		const problems: string[] = [];
		for (const leaf of leavesOf(triggerProperties)) {
			problems.push(
				...(await tryField(
					leaf,
					use,
					(hostile) =>
						leaf.set(
							withNeeds(triggerProperties, leaf, good),
							hostile.expression ?? (hostile.value as never),
						),
					allowed,
				)),
			);
		}
		expect(problems).toEqual([]);
	}, 300_000);
});
