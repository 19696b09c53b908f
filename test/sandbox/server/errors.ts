/** Error bodies: interface.md "Errors"; codes as the service's public description lists them. */

export interface ErrorInfo {
	code: string;
	message: string;
	details: string;
	path: string;
	suggestion: string;
	documentation_url: string | null;
	field: string | null;
}

/** What a 400 suggests; every other status points to the support. */
const UPDATE = 'Please update your request and try again.';
const CONTACT = 'Contact us at support@example.com to get help with this error.';

const DEFAULTS: Record<number, Pick<ErrorInfo, 'code' | 'message'>> = {
	400: { code: 'BAD_REQUEST_ERROR', message: 'Bad request' },
	401: { code: 'UNAUTHORIZED_ERROR', message: 'Unauthorized' },
	403: { code: 'INSUFFICIENT_PERMISSIONS_ERROR', message: 'Insufficient permissions' },
	404: { code: 'NOT_FOUND_ERROR', message: 'Not found' },
	409: { code: 'CONFLICT_ERROR', message: 'Conflict' },
	413: { code: 'REQUEST_ENTITY_TOO_LARGE', message: 'Request entity too large' },
	422: { code: 'INVALID_INPUT_ERROR', message: 'Validation error' },
	429: { code: 'RATE_LIMIT_ERROR', message: 'Too many requests' },
	500: { code: 'INTERNAL_SERVER_ERROR', message: 'Internal server error' },
	502: { code: 'BAD_GATEWAY_ERROR', message: 'Bad gateway' },
	503: { code: 'INTERNAL_SERVER_ERROR', message: 'Service unavailable' },
	504: { code: 'GATEWAY_TIMEOUT_ERROR', message: 'Gateway timeout' },
};

/** One error object of the service; what isn't given has the value that is usual for the status. */
export function errorInfo(status: number, partial: Partial<ErrorInfo> = {}): ErrorInfo {
	const usual = DEFAULTS[status] ?? { code: 'BAD_REQUEST_ERROR', message: `Status ${status}` };
	return {
		code: partial.code ?? usual.code,
		message: partial.message ?? usual.message,
		details: partial.details ?? '',
		path: partial.path ?? '',
		suggestion: partial.suggestion ?? (status === 400 ? UPDATE : CONTACT),
		documentation_url: partial.documentation_url ?? null,
		field: partial.field ?? null,
	};
}

/** Thrown by handlers and checks; the pipeline turns it into a response with an error body. */
export class ServiceError extends Error {
	readonly errors: ErrorInfo[];

	constructor(
		readonly status: number,
		errors: Partial<ErrorInfo> | Array<Partial<ErrorInfo>>,
		readonly headers: Record<string, string> = {},
	) {
		const list = Array.isArray(errors) ? errors : [errors];
		super(list[0]?.message ?? `Status ${status}`);
		this.errors = list.map((partial) => errorInfo(status, partial));
	}
}

export function notFound(what: string, id: string): ServiceError {
	return new ServiceError(404, {
		message: `${what} not found`,
		details: `There is no ${what.toLowerCase()} '${id}'.`,
	});
}

/** What there is; a 404 where there is nothing. */
export function found<T>(it: T | undefined, what: string, id: string): T {
	if (it === undefined) throw notFound(what, id);
	return it;
}

/** A rule that a schema can't state; `where` is `query.size` or `body.runPython.uri`. */
export function invalid(where: string, details: string): ServiceError {
	return new ServiceError(422, invalidInfo(where, details));
}

export function invalidInfo(where: string, details: string): ErrorInfo {
	// For `query.status.0`, the field is `status`.
	const field =
		where
			.split('.')
			.filter((step) => !/^\d+$/.test(step))
			.pop() ?? where;
	return errorInfo(422, { details, path: where, field });
}
