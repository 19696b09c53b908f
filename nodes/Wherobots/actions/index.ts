import {
	updateDisplayOptions,
	type INodeProperties,
	type INodePropertyOptions,
} from 'n8n-workflow';

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
	table,
	file,
	auditLog,
	taskRun,
	task,
	catalog,
	namespace,
	view,
	sqlSession,
	usage,
	apiKey,
	cloudConnection,
	environmentOverridePreset,
	api,
];

/** The operation behind the values of the 'resource' and 'operation' parameters. */
export function findOperation(resource: string, operation: string): Operation | undefined {
	return resources
		.find(({ value }) => value === resource)
		?.operations.find(({ value }) => value === operation);
}

/** The form of the node: the resource, its operations, and the fields of each. */
export const properties: INodeProperties[] = [
	{
		displayName: 'Resource',
		name: 'resource',
		type: 'options',
		noDataExpression: true,
		options: resources.map(({ name, value, description }) => ({ name, value, description })),
		default: 'jobRun',
	},
	...resources.flatMap(buildResourceProperties),
];

function buildResourceProperties({
	value,
	operations,
	defaultOperation,
	toolOperation,
}: Resource): INodeProperties[] {
	const resource = [value];
	const initial = defaultOperation?.value ?? 'getAll';
	const operationField: INodeProperties = {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource } },
		options: operations.map(toOption),
		default: initial,
	};
	const ofTool = { ...operationField, default: toolOperation?.value };
	return [
		...(toolOperation === undefined
			? [operationField]
			: [
					...updateDisplayOptions({ hide: { '@tool': [true] } }, [operationField]),
					...updateDisplayOptions({ show: { '@tool': [true] } }, [ofTool]),
				]),
		...operations.flatMap((operation) =>
			updateDisplayOptions({ show: { resource, operation: [operation.value] } }, operation.fields),
		),
	];
}

/** An operation in the list. */
function toOption({ name, value, action, description, hint }: Operation): INodePropertyOptions {
	const builderHint = hint && { builderHint: { propertyHint: hint } };
	return { name, value, action, description, ...builderHint };
}

/** The action of each operation, by resource and operation. */
const actions = Object.fromEntries(
	resources.flatMap((resource) =>
		resource.operations.map(({ value, action }) => [`${resource.value} ${value}`, shorten(action)]),
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
