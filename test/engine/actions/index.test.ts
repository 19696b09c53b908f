import { Workflow, type INode, type INodeProperties } from 'n8n-workflow';

import { findOperation, resources, subtitle } from '../../../nodes/Wherobots/actions';
import { nodeWorkflow, packageNodeTypes } from '../harness';

const table = resources.flatMap((resource) =>
	resource.operations.map(({ value, action }) => [resource.value, value, action] as const),
);

/** Those that are longer than what the canvas shows of a subtitle, some 25 characters. */
const SHORTENED: Record<string, string> = {
	'Create or update environment override preset': 'Create or update preset',
	'Delete environment override preset': 'Delete preset',
	'Download cloud connection template': 'Download template',
	'Execute SQL query for rows or maps': 'Execute SQL query',
	'Export audit log to archive': 'Export audit log',
	'Get cloud connection CloudFormation link': 'Get CloudFormation link',
	'Get many environment override presets': 'Get many presets',
	'Get usage of many workloads': 'Get usage of workloads',
	'Insert or update rows in table': 'Insert or update rows',
	'Wait for job run completion': 'Wait for job run',
	'Wait for task run completion': 'Wait for task run',
};

it.each(table)('%s %s has a subtitle in words', async (resource, operation, action) => {
	const workflow = new Workflow({
		...nodeWorkflow({ resource, operation }),
		active: false,
		nodeTypes: packageNodeTypes(),
	});
	const node = workflow.getNode('Wherobots') as INode;
	// Some engines for expressions need a place to run.
	await workflow.expression.acquireIsolate();
	const shown = workflow.expression.getSimpleParameterValue(node, subtitle, 'internal', {});
	await workflow.expression.releaseIsolate();
	expect(shown).toBe(SHORTENED[action] ?? action);
	expect(String(shown).length).toBeLessThanOrEqual(26);
});

const forms = resources.flatMap(({ name, operations }) =>
	operations.map(({ value, fields }) => [`${name}: ${value}`, fields] as const),
);

it.each(forms)(
	'%s asks whether to simplify after its own fields and before options',
	(_, fields) => {
		const SHAPE = ['simplify', 'outputMode', 'selectedFields'];
		// What is changed is what the operation is for; the options of a map and of a wait are right below their switch.
		const isOptional = ({ name, type }: INodeProperties) =>
			name === 'waitForCompletion' ||
			(type === 'collection' && !['changes', 'mapOptions'].includes(name));
		const kinds = fields.map((field) =>
			SHAPE.includes(field.name) ? 'shape' : isOptional(field) ? 'collection' : 'field',
		);
		expect(kinds.join(' ')).toMatch(/^field( field)*( shape shape shape)?( collection)*$/);
	},
);

it.each(
	resources.flatMap((resource) =>
		resource.operations
			.filter(({ name }) => /^(Delete|Revoke)$/.test(name))
			.map(({ fields }) => [resource.name, fields] as const),
	),
)('Deleting a record of %s warns below the field that picks it', (_, fields) => {
	expect(fields.some(({ hint }) => hint)).toBe(true);
});

it.each([
	['nothing', 'get'],
	['jobRun', 'nothing'],
	['constructor', 'constructor'],
])('finds no operation for %s %s', (resource, operation) => {
	expect(findOperation(resource, operation)).toBeUndefined();
});
