import type { IExecuteFunctions } from 'n8n-workflow';

import type { RunRequest } from '../../../service/jobRuns/runRequests';
import type { SubmissionState } from '../../../transport/jobRuns/submit';
import { ExecutionStates } from '../../itemState';

const states = new ExecutionStates<SubmissionState>(() => ({}));

/** What this execution has submitted for the item so far. */
export function submissionState(
	context: IExecuteFunctions,
	itemIndex: number,
	request: RunRequest,
): SubmissionState {
	return states.ofItem(context, itemIndex, request);
}
