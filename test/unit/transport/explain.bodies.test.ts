import { describeUnreadable, withRecoveryHint } from '../../../nodes/Wherobots/transport/explain';
import { failedResponse } from '../../support/failedResponse';

const IF_IT_LASTS =
	"If this persists, check 'Base URL' in the credential: this response does not look like one from Wherobots Cloud.";

describe('a successful status', () => {
	it('with a body beyond the limit says how much that is', () => {
		expect(describeUnreadable(failedResponse(200, '', { largerThan: 64_000_000 }))).toEqual({
			message: 'The response from Wherobots Cloud is too large',
			description: `It is larger than 64 MB, so it was not read to the end.\n${IF_IT_LASTS}`,
			httpCode: '200',
		});
	});
});

describe('withRecoveryHint', () => {
	const failure = { message: 'Lost', description: 'Why.' };

	it.each([
		[{ kind: 'network', code: 'ECONNRESET' } as const, 'no complete response arrived'],
		[{ kind: 'response', status: 503 } as const, 'HTTP 503'],
	])('says what to look for after %j', (attempt, where) => {
		expect(withRecoveryHint(failure, attempt, 'a job run named "x"')).toEqual({
			ambiguous: true,
			message: 'Lost: it is not certain whether the request was carried out',
			description: `It was not repeated, because that could carry it out twice (${where}).\nBefore you try again, look for a job run named "x".\nWhy.`,
		});
		expect(withRecoveryHint(failure, attempt).description).not.toContain('look for');
	});
});
