import type { FailedResponse } from '../../nodes/Wherobots/transport/failures/failure';

/** A response as it failed; a body that is no text is sent as JSON. */
export const failedResponse = (
	status: number,
	body: unknown = '',
	more: Partial<FailedResponse> = {},
): FailedResponse => ({
	status,
	contentType: 'application/json',
	text: typeof body === 'string' ? body : JSON.stringify(body),
	...more,
});
