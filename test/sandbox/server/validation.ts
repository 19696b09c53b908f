/** Checks requests against the schemas of their route; what doesn't fit becomes a 422 with an error body. */
import { z } from 'zod/v4';

import { toMicros } from '../time';
import { invalidInfo, ServiceError, type ErrorInfo } from './errors';
import type { Route } from './route';

/** A time, in whole microseconds since the epoch; without an offset it is in UTC. */
export const localTime = z.string().transform((text, { issues }) => {
	const micros = toMicros(text);
	if (micros !== undefined) return micros;
	issues.push({ code: 'custom', message: 'Must be an ISO 8601 date and time', input: text });
	return z.NEVER;
});

/** The same with an offset. */
export const time = z
	.string()
	.regex(/(Z|[+-]\d\d:?\d\d)$/i, 'Must have an offset from UTC')
	.pipe(localTime);

/** A parameter that may be repeated. */
export const listOf = <Item extends z.ZodType>(item: Item) =>
	z.preprocess((value) => [value].flat(), z.array(item)).optional();

/** An integer in a query, which is text. */
export const integer = z.coerce.number().int();

/** An object with any names; a record of Zod's has none called "constructor". */
export const recordOf = <Value extends z.ZodType>(value: Value) => z.object({}).catchall(value);

export const nullableText = z.string().nullish();

const wordOf: z.core.$ZodErrorMap = (issue) => {
	if (issue.input === undefined) return 'Field required';
	return issue.code === 'invalid_value' ? `Must be one of ${issue.values.join(', ')}` : undefined;
};

function check(
	where: 'query' | 'body',
	schema: z.ZodType,
	value: unknown,
): { value?: unknown; errors: ErrorInfo[] } {
	const { data, error } = schema.safeParse(value, { error: wordOf });
	const errors = (error?.issues ?? []).flatMap((issue) => {
		const at = (...steps: string[]) => [where, ...issue.path, ...steps].join('.');
		return issue.code === 'unrecognized_keys'
			? issue.keys.map((key) => invalidInfo(at(key), 'Unknown field'))
			: [invalidInfo(at(), issue.message)];
	});
	return { value: data, errors };
}

/** A body as it arrived: its text, and what its content type says. */
export interface RawBody {
	text: string;
	contentType: string;
}

function checkBody(route: Route, raw: RawBody): { value?: unknown; errors: ErrorInfo[] } {
	const wrong = (where: string, details: string) => ({ errors: [invalidInfo(where, details)] });
	if (!route.body) {
		return raw.text === '' ? { errors: [] } : wrong('body', 'This operation takes no body');
	}
	if (raw.text === '') return wrong('body', 'Field required');
	if (!/^application\/json\s*(;|$)/i.test(raw.contentType)) {
		return wrong('header.content-type', 'Must be application/json');
	}
	try {
		return check('body', route.body, JSON.parse(raw.text));
	} catch {
		return wrong('body', 'The body is not valid JSON');
	}
}

/** Checks query and body, and fills in defaults. Throws a 422 with every problem found. */
export function validateRequest(
	route: Route,
	sent: unknown,
	raw: RawBody,
): { query: unknown; body: unknown } {
	const query = check('query', route.query, sent);
	const body = checkBody(route, raw);
	const errors = [...query.errors, ...body.errors];
	if (errors.length > 0) throw new ServiceError(422, errors);
	return { query: query.value, body: body.value };
}
