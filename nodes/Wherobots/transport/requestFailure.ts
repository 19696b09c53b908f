import type { Endpoint } from '../service/endpoints';
import type { CallOptions } from './calls';
import { pathFacts } from './failures/facts';
import { describeFailed, withLookFor, type Failure } from './failures/failure';
import { describeNetwork } from './failures/networkFailure';
import type { FailedRequest } from './pace/pacedRequest';

/** Explains a request that failed after all its attempts. */
export function describeRequest(
	endpoint: Endpoint,
	outcome: FailedRequest,
	{ path, lookFor }: Pick<CallOptions, 'path' | 'lookFor'>,
): Failure {
	const { result } = outcome;
	const failure =
		result.kind === 'network'
			? describeNetwork(result.code, result.detail)
			: describeFailed(endpoint, result);
	failure.facts = pathFacts(path);
	failure.retryAfterMs = outcome.askedToWaitMs;
	failure.temporary = outcome.temporary;
	const isUnclear = outcome.ambiguous && endpoint.retry === 'once';
	return isUnclear ? withLookFor(failure, outcome.attempt, lookFor) : failure;
}
