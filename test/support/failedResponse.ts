import type { BadResponse } from '../../nodes/Wherobots/transport/http';

/** A response as it failed; a body that is no text is sent as JSON. */
export const failedResponse = (
	status: number,
	body: unknown = '',
	more: Partial<BadResponse> = {},
): BadResponse => ({
	status,
	contentType: 'application/json',
	text: typeof body === 'string' ? body : JSON.stringify(body),
	...more,
});
