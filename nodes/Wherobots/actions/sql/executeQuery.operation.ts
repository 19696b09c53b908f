import { randomUUID } from 'crypto';

import { NodeApiError, NodeOperationError, type INodeExecutionData } from 'n8n-workflow';

import { item } from '../../parameters/items';
import { mayReturnRows } from '../../service/sql/statements';
import type { Client } from '../../transport/client';
import { CancelledError } from '../../transport/clock';
import { amend, factsOf, failureOf } from '../../transport/failures/errors';
import type { Failure } from '../../transport/failures/failure';
import { toResult } from '../../transport/toResult';
import { executeSql } from '../../transport/sql/executeSql';
import { openSession, type SessionState } from '../../transport/sql/openSession';
import { readRows } from '../../transport/sql/rows';
import type { StatementResult } from '../../transport/sql/runStatement';
import { hasWebSocket } from '../../transport/sql/socket';
import { ExecutionStates } from '../itemState';
import type { Call, Operation } from '../operation';
import * as form from './fields';
import { loggedProgress } from './progress';
import { readQuery, type Query } from './query';
import { fileItem } from './resultFile';
import { rowItems } from './rowItems';
import { sessionRegionField, sessionRequestFields, sessionRuntimeField } from './sessionFields';

/** The outcome of a statement that may change data, kept for Retry on Fail. */
interface StatementState {
	/** Its output. */
	items?: INodeExecutionData[];
	/** It was or may have been executed, and has no output. */
	failure?: Failure;
}

const statements = new ExecutionStates<StatementState>(() => ({}));
const sessions = new ExecutionStates<SessionState>(() => ({}));

export const executeQuery: Operation = {
	option: {
		name: 'Execute Query',
		value: 'executeQuery',
		action: 'Execute SQL query',
		description: 'Execute a Spark SQL statement and return its rows as items or as a file',
	},
	fields: [
		form.queryField,
		form.queryParametersField,
		form.readOnlyField,
		form.readOnlyToolField,
		form.outputField,
		form.geometryField,
		sessionRuntimeField,
		sessionRegionField,
		form.optionsField,
	],
	requestFields: sessionRequestFields,
	kind: 'write',
	async execute(call) {
		const { context, input, itemIndex, client } = call;
		const query = readQuery(input, context.getTimezone());
		if (!hasWebSocket()) {
			throw new NodeOperationError(context.getNode(), 'SQL needs n8n on Node.js 22 or later', {
				itemIndex,
				description:
					'This n8n runs on an older Node.js, which cannot connect to SQL sessions. No session was started. Update n8n to a version that runs on Node.js 22 or 24.',
			});
		}
		const submit = async () => {
			// A query that only reads can be repeated.
			if (query.onlyReads) return await run(call, query);
			const state = statements.ofItem(context, itemIndex, query.text);
			if (state.failure) throw client.error(again(state.failure));
			if (state.items && !input.isToolUse) return state.items;
			const ran = await toResult(run(call, query));
			if (ran.ok) return (state.items = ran.value);
			if (mayHaveChanged(ran.error)) state.failure = failureOf(ran.error);
			throw ran.error;
		};
		return { submit };
	},
};

async function run(call: Call, query: Query): Promise<INodeExecutionData[]> {
	const { client, context } = call;
	const state = sessions.ofNode(context, [client.account, query.session]);
	const ready = await openSession(client, query.session, state, query.sessionWaitMs);
	const ids = { executionId: randomUUID(), sessionId: ready.session.id };
	const returnsRows = mayReturnRows(query.text);
	const statement = {
		...ids,
		text: query.text,
		geometry: query.geometry,
		mayReturnRows: returnsRows,
		store: returnsRows ? query.file?.store : undefined,
		timeoutMs: query.timeoutMs,
	};
	const result = await executeSql(client, ready, statement, loggedProgress(context, ids));
	const output = await toResult(outputOf(call, query, result, ids));
	if (output.ok) return output.value;
	if (output.error instanceof CancelledError) throw output.error;
	const error = asApiError(client, output.error as Error);
	amend(error, {
		before: 'The statement succeeded, but its result could not be returned.',
		facts: { ...ids, state: 'succeeded' },
	});
	throw error;
}

/** n8n's binary store throws errors of its own, which would let the statement be repeated. */
function asApiError(client: Client, error: Error): NodeApiError {
	if (error instanceof NodeApiError) return error;
	return client.error({ message: error.message, description: '' });
}

async function outputOf(
	call: Call,
	query: Query,
	result: StatementResult,
	ids: { executionId: string; sessionId: string },
): Promise<INodeExecutionData[]> {
	switch (result.kind) {
		case 'done':
			return query.onlyReads
				? rowItems(call, [], query.maxRows)
				: [item({ ...ids, state: 'succeeded' })];
		case 'rows':
			return rowItems(call, await readRows(call.client, result.rows), query.maxRows);
		case 'stored':
			return [await fileItem(call, result, query.file as NonNullable<Query['file']>, ids)];
	}
}

/** Whether the statement behind an error was or may have been executed. */
function mayHaveChanged(error: unknown): error is NodeApiError {
	if (!(error instanceof NodeApiError)) return false;
	const { state } = factsOf(error);
	return state === 'succeeded' || state === 'unknown';
}

/** The failure of an earlier attempt, for a retry that sends nothing. */
function again(failure: Failure): Failure {
	const note = 'Retry on Fail has not sent the statement again: it might have run twice.';
	return {
		...failure,
		description: failure.description.includes(note)
			? failure.description
			: `${failure.description}\n${note}`,
	};
}
