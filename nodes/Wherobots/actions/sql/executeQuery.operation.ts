import { randomUUID } from 'crypto';
import { NodeApiError, NodeOperationError, type INodeExecutionData } from 'n8n-workflow';

import { item } from '../../parameters/items';
import { CancelledError } from '../../transport/clock';
import { amend, factsOf } from '../../transport/failures/errors';
import { executeSql } from '../../transport/sql/executeSql';
import { openSession, type SessionState } from '../../transport/sql/openSession';
import { readRows } from '../../transport/sql/rows';
import type { StatementResult } from '../../transport/sql/runStatement';
import { toResult } from '../../transport/toResult';
import { ExecutionStates } from '../execution/itemState';
import { workOf } from '../execution/once';
import type { Call, Operation } from '../operations/operation';
import * as form from './fields';
import { queryParametersField } from './parameters';
import { readQuery, type Query, type ResultFile } from './query';
import { fileItem } from './resultFile';
import { rowItems } from './rowItems';

const sessions = new ExecutionStates<SessionState>(() => ({}));
/** How many sessions a node has requested. */
const requests = new ExecutionStates(() => ({ count: 0 }));

export const executeQuery: Operation = {
	option: {
		name: 'Execute Query',
		value: 'executeQuery',
		action: 'Execute SQL query',
		description: 'Execute a Spark SQL statement and return its rows as items or as a file',
	},
	fields: [
		form.queryField,
		queryParametersField,
		form.readOnlyField,
		form.readOnlyToolField,
		form.outputField,
		form.geometryField,
		form.sessionRuntimeField,
		form.sessionRegionField,
		form.optionsField,
	],
	requestFields: { runtimeId: form.sessionRuntimeField },
	kind: 'write',
	async execute(call) {
		const { context, input } = call;
		const query = readQuery(input, context.getTimezone());
		if (typeof WebSocket !== 'function') {
			throw new NodeOperationError(context.getNode(), 'SQL needs n8n on Node.js 22 or later', {
				description:
					'This n8n runs on an older Node.js, which cannot connect to SQL sessions. No session was started. Update n8n to a version that runs on Node.js 22 or 24.',
			});
		}
		return { submit: async () => await runOnce(call, query) };
	},
};

/** Runs a statement, unless an earlier attempt has executed it, or may have changed data with it. */
async function runOnce(call: Call, query: Query): Promise<INodeExecutionData[]> {
	const { client, input } = call;
	const { onlyReads, text } = query.statement;
	const work = workOf<INodeExecutionData[]>(call, 'statement', text);
	const mayBeDone = (error: NodeApiError) => {
		const { state } = factsOf(error);
		return state === 'succeeded' || (state === 'unknown' && !onlyReads);
	};
	const items = await work.once(client, async () => run(call, query), mayBeDone);
	// An agent that sends a statement again wants it executed again.
	if (input.isToolUse) work.result = undefined;
	return items;
}

async function run(call: Call, query: Query): Promise<INodeExecutionData[]> {
	const { client, context, input } = call;
	const state = sessions.ofNode(context, [client.account, query.session]);
	const session = await openSession(client, query.session, state, query.sessionWaitMs, () => {
		const requested = requests.ofNode(context, 'sessions');
		if (requested.count++ < query.maxSessions) return;
		throw input.problem(
			form.maxSessionsOption,
			`is reached: this execution has requested ${query.maxSessions} SQL sessions`,
			'No session was started. Use the settings of an earlier query, whose session is still there, or stop and answer with what you have. Further sessions would cost money.',
		);
	});
	const ids = { executionId: randomUUID(), sessionId: session.id };
	const statement = { ...query.statement, executionId: ids.executionId };
	const result = await executeSql(client, session, statement);
	const output = await toResult(outputOf(call, query, result, ids));
	if (output.ok) return output.value;
	if (output.error instanceof CancelledError) throw output.error;
	// n8n's binary store throws errors of its own, which would let the statement be repeated.
	const error =
		output.error instanceof NodeApiError
			? output.error
			: client.error({ message: (output.error as Error).message, description: '' });
	amend(error, {
		before: 'The statement succeeded, but its result could not be returned.',
		facts: { ...ids, state: 'succeeded' },
	});
	throw error;
}

async function outputOf(
	call: Call,
	query: Query,
	result: StatementResult,
	ids: { executionId: string; sessionId: string },
): Promise<INodeExecutionData[]> {
	if (result.kind === 'stored') {
		return [await fileItem(call, result.uri, query.file as ResultFile, ids)];
	}
	if (result.kind === 'rows') {
		return rowItems(call, readRows(call.client, result.rows), query.maxRows);
	}
	if (query.statement.onlyReads) return rowItems(call, [], query.maxRows);
	return [item({ ...ids, state: 'succeeded' })];
}
