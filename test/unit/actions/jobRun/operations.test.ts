import type { INodeExecutionData, NodeApiError } from 'n8n-workflow';

import { cancel } from '../../../../nodes/Wherobots/actions/jobRun/cancel.operation';
import { findOperation } from '../../../../nodes/Wherobots/actions';
import type { Operation } from '../../../../nodes/Wherobots/actions/operations/operation';
import { CancelledError } from '../../../../nodes/Wherobots/transport/clock';
import { factsOf } from '../../../../nodes/Wherobots/transport/failures/errors';
import { suiteWithInstantPauses } from '../../../support/virtualTime';
import { runCall, runOf } from './runCall';

suiteWithInstantPauses();

const getAll = findOperation('jobRun', 'getAll') as Operation;
const getMetrics = findOperation('jobRun', 'getMetrics') as Operation;

describe('Job Run: Get Many without a result', () => {
	it.each([
		[{}, 'There are no job runs that this account can see.'],
		[
			{
				'filters.name': 'nightly-*',
				'filters.status': ['FAILED', 'CANCELLED'],
				'filters.region': 'aws-us-west-2',
				'filters.createdAfter': '2026-11-21T00:00:00Z',
			},
			"No job runs match 'Name' nightly-* and 'Region' aws-us-west-2 and 'Status' FAILED or CANCELLED and 'Created After' 2026-11-21T00:00:00Z. Change or remove a filter to get more.",
		],
	])('names the filters: %j', async (filters, hint) => {
		const { call, hints } = runCall(filters, { answer: () => ({ items: [], next_page: null }) });
		expect(await getAll.execute(call)).toEqual([]);
		expect(hints).toEqual([hint]);
	});
});

it('Job Run: Cancel sends its request once, even when the execution is stopped while it waits', async () => {
	const execution = new AbortController();
	const { call, asked } = runCall(
		{ runId: 'r1', waitUntilCancelled: true },
		{
			signal: execution.signal,
			answer: (id) => {
				if (id === 'getRun') execution.abort();
				return runOf('RUNNING');
			},
		},
	);
	const { finish } = (await cancel.execute(call)) as { finish(): Promise<INodeExecutionData[]> };
	await expect(finish()).rejects.toBeInstanceOf(CancelledError);
	expect(asked).toEqual(['cancelRun', 'getRun']);
});

it('Job Run: Get Metrics names the run when the response has no metrics', async () => {
	const { call } = runCall({ runId: 'r1' }, { answer: () => ({}) });
	const error = (await getMetrics.execute(call).catch((reason: Error) => reason)) as NodeApiError;
	expect(error.message).toBe('Wherobots Cloud returned an unexpected response');
	expect(factsOf(error)).toEqual({ runId: 'r1' });
});
