/** What n8n's workflow builder, its agents and its MCP server find out about the nodes. */
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';

import type { INodeTypeDescription } from 'n8n-workflow';

import { resources as table } from '../../nodes/Wherobots/actions';
import { REPOSITORY } from '../../scripts/lib/paths';
import type { WorkflowJson } from './n8n/apiTypes';
import { readWorkflow } from './n8n/workflows';
import { sharedApi } from './suite/sharedN8n';
import { suiteInstall } from './suite/ownN8n';

const PACKAGE = 'n8n-nodes-wherobots';
const ACTIONS = `${PACKAGE}.wherobots`;
const TRIGGER = `${PACKAGE}.wherobotsTrigger`;

/** What somebody asks for, and the places in n8n's list of twenty that are good enough. */
const WISHES: Array<[wish: string, atMost: number]> = [
	['run a Spark job', 1],
	['submit a PySpark job', 1],
	['run a Python file on Spark', 2],
	['run a JAR on Spark', 1],
	['run a notebook every morning', 3],
	['wait until a job run has finished', 2],
	['tell me when a Spark job fails', 1],
	['alert on a failed job run', 2],
	['notify when a job takes too long', 1],
	['stop jobs that cost too much', 3],
	['what did our Spark jobs cost last month', 5],
	['list running job runs and cancel them', 1],
	['get the logs of a failed Spark job', 1],
	['job run metrics CPU and memory', 2],
	['run SQL on my spatial tables', 1],
	['spatial join in SQL', 1],
	['query GeoJSON from a table', 1],
	['draw a map of query results', 3],
	['list the catalogs and tables', 1],
	['Iceberg lakehouse tables', 1],
	['archive the audit log to S3 every night', 3],
	['export audit log as CSV', 2],
	['start a workflow when an audit event is recorded', 8],
	['who deleted a table', 11],
	['rotate API keys', 1],
	['connect an AWS account', 1],
	['upload a script for a Spark job', 3],
	['download the results of a job', 1],
	['run a RasterFlow task', 1],
	['Apache Sedona', 1],
	['GIS analysis', 4],
	['Wherobots', 1],
];

interface Found {
	name: string;
	builderHintMessage?: string;
}

/** Modules of n8n's own, from the n8n that the suite runs on. */
interface N8nModules {
	catalog: { NodeSearchEngine: new (nodes: unknown[]) => { searchByName(query: string): Found[] } };
	lean: { toLeanNodeType(node: unknown): { discriminatorsByVersion: Map<number, Lean> } };
	definitions: {
		generateNodeDefinitions(options: { nodesJsonPath: string; outputDir: string }): Promise<void>;
	};
	validation: {
		setSchemaBaseDirs(folders: string[]): void;
		validateWorkflow(
			workflow: WorkflowJson,
			options: { validateSchema: true },
		): { errors: Array<{ message: string }>; warnings: Array<{ message: string }> };
	};
}

interface Described {
	value: string;
	description?: string;
	builderHint?: { propertyHint: string };
}
interface Lean {
	resourceOperations: { resources: Array<Described & { operations: Described[] }> };
}

let n8n: N8nModules;
/** Every node of this n8n, as its builder knows it. */
let nodes: INodeTypeDescription[];

beforeAll(async () => {
	const { folder } = await suiteInstall();
	const load = createRequire(path.join(folder, 'package.json'));
	const inFolder = (file: string) => load(path.join(folder, 'node_modules/@n8n', file)) as never;
	n8n = {
		catalog: inFolder('ai-utilities/dist/cjs/node-catalog/search-engine.js'),
		lean: inFolder('ai-utilities/dist/cjs/node-catalog/lean-node-type.js'),
		definitions: inFolder('workflow-sdk/dist/generate-types/generate-node-defs-cli.js'),
		validation: inFolder('workflow-sdk/dist/validation.js'),
	};
	nodes = await sharedApi().request<INodeTypeDescription[]>('GET', '/types/nodes.json');
});

const own = () => nodes.filter(({ name }) => name === ACTIONS || name === TRIGGER);

describe("n8n's workflow builder", () => {
	test('finds the nodes by what people wish for', () => {
		const engine = new n8n.catalog.NodeSearchEngine(nodes.filter(({ hidden }) => !hidden));
		const places = WISHES.map(([wish, atMost]) => {
			const found = engine.searchByName(wish);
			const place = found.findIndex(({ name }) => name.startsWith(`${PACKAGE}.`)) + 1;
			return { wish, place, isFound: place > 0 && place <= atMost };
		});
		expect(places.filter(({ isFound }) => !isFound)).toEqual([]);
	});

	test('is told when to use which node, and what each resource and operation does', () => {
		const [found] = new n8n.catalog.NodeSearchEngine(nodes).searchByName('Wherobots');
		expect(found.builderHintMessage).toContain('Three ways to wait for a job run');
		const node = own().find(({ name }) => name === ACTIONS);
		const lean = n8n.lean.toLeanNodeType(node).discriminatorsByVersion.get(1);
		// n8n adds an entry of its own to what uses a credential.
		const isOurs = ({ value }: Described) => value !== '__CUSTOM_API_CALL__';
		const resources = lean?.resourceOperations.resources.filter(isOurs) ?? [];
		const operations = resources.flatMap((resource) =>
			resource.operations.filter(isOurs).map((operation) => ({
				...operation,
				key: `${resource.value} ${operation.value}`,
			})),
		);
		expect([...resources, ...operations].filter(({ description }) => !description)).toEqual([]);
		const hints = operations.flatMap(({ key, builderHint }) =>
			builderHint ? [[key, builderHint.propertyHint]] : [],
		);
		const given = table.flatMap((resource) =>
			resource.operations.flatMap(({ value, hint }) =>
				hint ? [[`${resource.value} ${value}`, hint]] : [],
			),
		);
		expect(Object.fromEntries(hints)).toEqual(Object.fromEntries(given));
	});
});

describe("n8n's own validator", () => {
	let folder: string;
	beforeAll(async () => {
		folder = await mkdtemp(path.join(tmpdir(), 'node-definitions-'));
		const nodesJsonPath = path.join(folder, 'nodes.json');
		await writeFile(nodesJsonPath, JSON.stringify(own()));
		jest.spyOn(console, 'log').mockReturnValue();
		await n8n.definitions.generateNodeDefinitions({ nodesJsonPath, outputDir: folder });
		n8n.validation.setSchemaBaseDirs([folder]);
	});
	afterAll(async () => await rm(folder, { recursive: true, force: true }));

	const problems = (workflow: WorkflowJson) => {
		const { errors, warnings } = n8n.validation.validateWorkflow(workflow, {
			validateSchema: true,
		});
		return [...errors, ...warnings].map(({ message }) => `${workflow.name}: ${message}`);
	};

	test('accepts every recipe by what it knows of the fields', async () => {
		const files = await readdir(path.join(REPOSITORY, 'examples'));
		const recipes = files.filter((file) => file.endsWith('.json'));
		expect(recipes.length).toBeGreaterThan(30);
		for (const file of recipes) {
			expect(problems(await readWorkflow(`examples/${file}`))).toEqual([]);
		}
	});

	test('says where a workflow is wrong', async () => {
		const workflow = await readWorkflow('examples/submit-and-wait.json');
		const step = workflow.nodes.find(({ type }) => type === ACTIONS);
		Object.assign(step?.parameters ?? {}, { operation: 'submit' });
		expect(problems(workflow).join()).toContain('expected one of: "cancel", "create"');
	});
});
