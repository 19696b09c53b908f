import { Workflow, type INode } from 'n8n-workflow';

import { resources, subtitle } from '../../../nodes/Wherobots/actions';
import { nodeWorkflow, packageNodeTypes } from '../harness';

const table = resources.flatMap(({ option, operations }) =>
	operations.map((operation) => [option.value, operation.option.value, operation.option.action]),
) as Array<[string, string, string]>;

it.each(table)('%s %s has a subtitle in words', (resource, operation, action) => {
	const workflow = new Workflow({
		...nodeWorkflow({ resource, operation }),
		active: false,
		nodeTypes: packageNodeTypes(),
	});
	const node = workflow.getNode('Wherobots') as INode;
	expect(workflow.expression.getSimpleParameterValue(node, subtitle, 'internal', {})).toBe(action);
});
