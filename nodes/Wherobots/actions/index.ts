import {
	updateDisplayOptions,
	type INodeProperties,
	type INodePropertyOptions,
} from 'n8n-workflow';

import { operationHints } from '../builderHints';
import { api } from './api';
import { apiKey } from './apiKey';
import { auditLog } from './auditLog';
import { catalog, namespace } from './catalog';
import { cloudConnection } from './cloudConnection';
import { environmentOverridePreset } from './environmentOverridePreset';
import { file } from './files';
import { jobRun } from './runs';
import type { Operation, Resource } from './operations/operation';
import { sql, sqlSession } from './sql';
import { table, view } from './tables';
import { task, taskRun } from './runs/task';
import { usage } from './usage';

/** The resources in n8n's order: the most used first, then the others in related groups. */
export const resources: Resource[] = [
	jobRun,
	sql,
	file,
	taskRun,
	task,
	auditLog,
	catalog,
	namespace,
	table,
	view,
	sqlSession,
	cloudConnection,
	environmentOverridePreset,
	apiKey,
	usage,
	api,
];

/** The operation behind the values of the 'resource' and 'operation' parameters. */
export function findOperation(resource: string, operation: string): Operation | undefined {
	return resources
		.find(({ option }) => option.value === resource)
		?.operations.find(({ option }) => option.value === operation);
}

/** The form of the node: the resource, its operations, and the fields of each. */
export const properties: INodeProperties[] = [
	{
		displayName: 'Resource',
		name: 'resource',
		type: 'options',
		noDataExpression: true,
		options: resources.map(({ option }) => option),
		default: 'jobRun',
	},
	...resources.flatMap(buildResourceProperties),
];

function buildResourceProperties({
	option,
	operations,
	defaultOperation = 'getAll',
	toolOperation,
}: Resource): INodeProperties[] {
	const resource = [option.value as string];
	const operationField: INodeProperties = {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource } },
		options: operations.map((operation) => addHint(option, operation.option)),
		default: defaultOperation,
	};
	const ofTool = { ...operationField, default: toolOperation };
	return [
		...(toolOperation === undefined
			? [operationField]
			: [
					...updateDisplayOptions({ hide: { '@tool': [true] } }, [operationField]),
					...updateDisplayOptions({ show: { '@tool': [true] } }, [ofTool]),
				]),
		...operations.flatMap((operation) =>
			updateDisplayOptions(
				{ show: { resource, operation: [operation.option.value as string] } },
				operation.fields,
			),
		),
	];
}

/** An operation in the list, with its hint for n8n's workflow builder. */
function addHint(
	resource: INodePropertyOptions,
	option: INodePropertyOptions,
): INodePropertyOptions {
	const propertyHint = operationHints[`${String(resource.value)} ${String(option.value)}`];
	return propertyHint ? { ...option, builderHint: { propertyHint } } : option;
}

/** The action of each operation, by resource and operation. */
const actions = Object.fromEntries(
	resources.flatMap(({ option, operations }) =>
		operations.map((operation) => [
			`${String(option.value)} ${String(operation.option.value)}`,
			shorten(operation.option.action),
		]),
	),
);

/** An action as far as the canvas shows it, some 25 characters. */
function shorten(action: string): string {
	const spare =
		/ (environment override|cloud connection|many(?= w)|for rows.*|to archive|completion|in table)\b/;
	return action.length > 26 ? action.replace(spare, '') : action;
}

/** The line under the node's name: "Create job run". The editor evaluates it as an expression. */
export const subtitle = `={{ (${JSON.stringify(actions)})[$parameter["resource"] + " " + $parameter["operation"]] }}`;
