import {
	NodeConnectionTypes,
	NodeHelpers,
	type IExecuteFunctions,
	type INodeParameters,
} from 'n8n-workflow';

import { findOperation, resources } from '../../../nodes/Wherobots/actions';
import { execute } from '../../../nodes/Wherobots/actions/execution/router';
import { Wherobots } from '../../../nodes/Wherobots/Wherobots.node';
import { by } from '../../support/files';
import { credentialsFor, readResult, startWorkflow, suiteWithSandbox } from '../harness/suite';
import { toolNodeTypes, toolOfAgent, toolWorkflow } from '../harness/tools';
import { at, pythonRun } from '../actions/parameters';

const suite = suiteWithSandbox();

/** As n8n runs a tool whose call the agent has handed over: a node of its own type. */
async function asToolNode(parameters: INodeParameters) {
	const options = { credentials: credentialsFor(suite.sandbox), nodeTypes: toolNodeTypes() };
	return readResult(await startWorkflow(toolWorkflow(parameters), options).result).json;
}

/** As n8n runs a tool inside the agent. @param execution the signal that stops the agent's execution */
async function insideAgent(parameters: INodeParameters, execution?: AbortSignal) {
	const context = toolOfAgent(suite.sandbox, parameters, { execution }).contextOf(0);
	context.addInputData(NodeConnectionTypes.AiTool, [[{ json: {} }]]);
	const [items] = await execute.call(context as unknown as IExecuteFunctions);
	return items.map((item) => item.json);
}

describe.each([
	['as a node', asToolNode],
	['inside an agent', insideAgent],
])('%s', (_, run) => {
	const tables = { resource: 'table', operation: 'getAll', ...at('cat-org', 'many') };

	it('gives a model a hundred items and says that there are more', async () => {
		const json = await run({ ...tables, returnAll: true });
		expect(json).toHaveLength(101);
		expect(json[100]).toEqual({ note: expect.stringContaining('Only the first 100 results') });
	});

	it('says nothing of the kind when that was asked for', async () => {
		const json = await run({ ...tables, returnAll: false, limit: 100 });
		expect(json).toHaveLength(100);
		expect(json[99]).toHaveProperty('name');
	});

	it('does not read a whole list for it', async () => {
		const events = { resource: 'auditLog', operation: 'getAll', returnAll: true };
		expect(await run(events)).toHaveLength(101);
		expect(suite.requests.of('queryAuditLog')).toHaveLength(2);
	});

	it('returns as much of a record as the model asks for', async () => {
		const connections = { resource: 'cloudConnection', operation: 'getAll' };
		const [simple] = await run(connections);
		expect(Object.keys(simple)).toHaveLength(10);
		const [raw] = await run({ ...connections, outputMode: 'raw' });
		expect(raw).toHaveProperty('trustedAccountIds');
		const selectedFields = 'name, trustedAccountIds, nothing';
		const [selected] = await run({ ...connections, outputMode: 'selected', selectedFields });
		expect(selected).toEqual({ id: raw.id, name: raw.name, trustedAccountIds: [] });
	});

	it('takes the arguments of a run as one value that the model gives', async () => {
		await run({ ...pythonRun, argumentList: ['--date', '2026-01-31', 3] });
		const args = ['--date', '2026-01-31', '3'];
		expect(suite.requests.of('createRun')[0].body).toMatchObject({ runPython: { args } });
	});
});

it('says what went wrong without the HTML of the panel', async () => {
	const errors = [{ message: 'Too <many>', details: 'Less & "fewer".' }];
	suite.fails('listRuns', { kind: 'status', status: 422, errors });
	await expect(insideAgent({ resource: 'jobRun', operation: 'getAll' })).rejects.toMatchObject({
		message: 'Too <many>',
		description: 'Less & "fewer".\nCheck the values of this node.',
	});
});

describe('the sessions that an agent may request', () => {
	const query = (region: string, sessionOptions: INodeParameters = {}): INodeParameters => ({
		...{ resource: 'sql', operation: 'executeQuery', query: 'SELECT 1', sessionOptions },
		region: by('name', region),
	});
	const regions = ['aws-us-west-2', 'aws-eu-west-1', 'aws-us-east-1', 'aws-ap-south-1'];
	const requests = () => suite.requests.of('createSqlSession').length;
	beforeEach(() => suite.sql.answer('SELECT 1', { rows: [{ a: 1 }] }));

	it('are three for each execution, and those that are there stay in use', async () => {
		const { signal } = new AbortController();
		const within = async (region: string, options?: INodeParameters) =>
			await insideAgent(query(region, options), signal);
		const note = expect.stringMatching(/^The SQL session took \d+ seconds to start/);
		for (const region of regions.slice(0, 3)) {
			expect(await within(region)).toEqual([{ a: 1 }, { note }]);
		}
		await expect(within(regions[3])).rejects.toMatchObject({
			message: "'Max Sessions' has been reached: this execution has requested 3 SQL sessions",
			description: expect.stringMatching(
				/^No session was started\. Use the settings of an earlier/,
			),
		});
		await expect(within(regions[0], { sessionType: 'new' })).rejects.toThrow('has been reached');
		expect(await within(regions[0])).toEqual([{ a: 1 }]);
		expect(requests()).toBe(3);
		await insideAgent(query(regions[3]), new AbortController().signal);
		expect(requests()).toBe(4);
	});

	it('are as many as the tool says', async () => {
		const { signal } = new AbortController();
		const options = { maxSessions: 1, sessionType: 'new' };
		await insideAgent(query(regions[0], options), signal);
		await insideAgent(query(regions[0], options), signal);
		await expect(insideAgent(query(regions[1], options), signal)).rejects.toThrow(
			'has been reached',
		);
		expect(requests()).toBe(1);
	});
});

it.each(resources.map(({ name, value }) => [name, value]))(
	'a new tool for %s starts with an operation that only reads',
	(_, resource) => {
		const [{ description }] = Object.values(toolNodeTypes());
		const { operation, readOnly, allowChanges } =
			NodeHelpers.getNodeParameters(
				description.properties,
				{ resource },
				true,
				false,
				null,
				description,
			) ?? {};
		const kind = findOperation(resource, String(operation))?.kind;
		expect(kind === 'read' || readOnly || allowChanges === false).toBe(true);
	},
);

it('tells n8n which outputs are secrets', () => {
	expect(new Wherobots().description.sensitiveOutputFields).toEqual([
		'key',
		'accessKey',
		'secretKey',
		'sessionToken',
	]);
});
