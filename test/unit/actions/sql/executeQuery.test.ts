import type { IExecuteFunctions, NodeOperationError } from 'n8n-workflow';

import type { Call } from '../../../../nodes/Wherobots/actions/operations/operation';
import { executeQuery } from '../../../../nodes/Wherobots/actions/sql/executeQuery.operation';
import { ORGANIZATION_DEFAULT } from '../../../../nodes/Wherobots/service/jobRuns/runtimes';
import { CancelledError } from '../../../../nodes/Wherobots/transport/clock';
import { explanationOf, factsOf } from '../../../../nodes/Wherobots/transport/failures/errors';
import { executeSql } from '../../../../nodes/Wherobots/transport/sql/executeSql';
import { openSession } from '../../../../nodes/Wherobots/transport/sql/openSession';
import { readRows } from '../../../../nodes/Wherobots/transport/sql/rows';
import { fileClient, refusal } from '../../../support/fileClient';
import { inputOf } from '../../../support/input';

jest.mock('../../../../nodes/Wherobots/transport/sql/executeSql');
jest.mock('../../../../nodes/Wherobots/transport/sql/openSession');
jest.mock('../../../../nodes/Wherobots/transport/sql/rows', () => ({
	...jest.requireActual<object>('../../../../nodes/Wherobots/transport/sql/rows'),
	readRows: jest.fn(),
}));

const opened = jest.mocked(openSession);
const executed = jest.mocked(executeSql);
const read = jest.mocked(readRows);

const sentRows = { bytes: '[]', format: 'json', compression: 'none', geoColumns: [] };

beforeEach(() => {
	opened.mockReset().mockResolvedValue({ id: 's-1', address: '' });
	executed.mockReset().mockResolvedValue({ kind: 'rows', rows: sentRows });
	read.mockReset().mockResolvedValue({ rows: [{ a: 1 }], columns: ['a'], renamed: [] });
});

/** One execution, in which the node may run several times: for Retry on Fail, or for other items. */
function execution(): (parameters: object, account?: string, item?: number) => Promise<unknown> {
	const { signal } = new AbortController();
	const context = {
		getTimezone: () => 'UTC',
		getNode: () => ({ name: 'Wherobots', type: 'wherobots' }),
		getExecutionCancelSignal: () => signal,
		getWorkflowDataProxy: () => ({ $runIndex: 0 }),
		logger: {},
	} as unknown as IExecuteFunctions;
	return async (parameters, account = 'me', itemIndex = 3) => {
		const client = { ...fileClient({}).client, account };
		const input = inputOf({ region: ORGANIZATION_DEFAULT, runtime: 'tiny', ...parameters });
		const call = { context, client, input, itemIndex } as unknown as Call;
		return await executeQuery
			.execute(call)
			.then(async (outcome) => await (outcome as { submit(): Promise<unknown> }).submit());
	};
}

const failureOf = async (work: Promise<unknown>) => await work.catch((error: unknown) => error);

/** May change something, and also returns rows. */
const CALL = { query: 'CALL system.compact()' };

it('a statement that has changed something is not sent again to read its rows', async () => {
	const run = execution();
	read.mockRejectedValue(refusal(500));
	const errors = [await failureOf(run(CALL)), await failureOf(run(CALL))] as NodeOperationError[];
	expect(executed).toHaveBeenCalledTimes(1);
	const { executionId } = executed.mock.calls[0][2];
	for (const error of errors) {
		expect(explanationOf(error)).toMatch(/^The statement succeeded, but its result could not be/);
		expect(factsOf(error)).toEqual({ executionId, sessionId: 's-1', state: 'succeeded' });
	}
	expect(errors.map((error) => /did not send it again/.test(explanationOf(error)))).toEqual([
		false,
		true,
	]);
	// Another execution may send it again.
	await failureOf(execution()(CALL));
	expect(executed).toHaveBeenCalledTimes(2);
});

it.each([
	['before the statement is sent', opened],
	['while the statement is running', executed],
])('a cancellation %s is passed on as it is', async (_, step) => {
	const stop = new CancelledError();
	step.mockRejectedValue(stop);
	expect(await failureOf(execution()(CALL))).toBe(stop);
});

it('statements that ask for the same session share it', async () => {
	const run = execution();
	const query = { query: 'SELECT 1' };
	await run(query, 'me', 0);
	await run({ query: 'SELECT 2' }, 'me', 1);
	await run({ ...query, region: 'aws-us-west-2' }, 'me', 2);
	await run(query, 'another account', 3);
	const [first, same, elsewhere, others] = opened.mock.calls.map(([, , state]) => state);
	expect(same).toBe(first);
	expect(new Set([first, elsewhere, others]).size).toBe(3);
});
