/** Checks requests against the schemas of their route; what doesn't fit becomes a 422 with an error body. */
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';

import { invalidInfo, ServiceError, type ErrorInfo } from './errors';
import type { Route, Schema } from './route';

// Values of a query string are text, so numbers and booleans in it must be converted; a single
// value counts as an array of one. Bodies have types of their own and are taken literally.
const queryAjv = new Ajv({ allErrors: true, coerceTypes: 'array', useDefaults: true });
const bodyAjv = new Ajv({ allErrors: true, useDefaults: true, discriminator: true });
addFormats(queryAjv);
addFormats(bodyAjv);

interface Checks {
	query: ValidateFunction;
	body?: ValidateFunction;
}

// Sandboxes come and go by the hundred in a test run; compiling only once per route lets them start quickly.
const compiled = new WeakMap<Route, Checks>();

function checksOf(route: Route): Checks {
	let checks = compiled.get(route);
	if (!checks) {
		checks = {
			query: queryAjv.compile({
				type: 'object',
				properties: route.query ?? {},
				required: route.requiredQuery ?? [],
			}),
			body: route.body && bodyAjv.compile(route.body),
		};
		compiled.set(route, checks);
	}
	return checks;
}

/** An object schema that refuses any property it doesn't name. */
export function strictObject(properties: Record<string, Schema>, required: string[] = []): Schema {
	return { type: 'object', additionalProperties: false, properties, required };
}

function explain(where: 'query' | 'body', error: ErrorObject): ErrorInfo {
	const params = error.params as Record<string, unknown>;
	const extra = params.missingProperty ?? params.additionalProperty;
	const steps = error.instancePath.split('/').filter(Boolean);
	if (typeof extra === 'string') steps.push(extra);
	const details =
		error.keyword === 'required'
			? 'Field required'
			: error.keyword === 'additionalProperties'
				? 'Unknown field'
				: error.keyword === 'enum'
					? `Must be one of ${(params.allowedValues as unknown[]).join(', ')}`
					: (error.message ?? 'Invalid value');
	return invalidInfo([where, ...steps].join('.'), details);
}

function fail(where: 'query' | 'body', validate: ValidateFunction): ErrorInfo[] {
	return (validate.errors ?? [])
		.filter(({ keyword }) => keyword !== 'if' && keyword !== 'oneOf')
		.map((error) => explain(where, error));
}

/** A body as it arrived: its text, and what its content type says. */
export interface RawBody {
	text: string;
	contentType: string;
}

function parseBody(route: Route, raw: RawBody): { value?: unknown; errors: ErrorInfo[] } {
	if (!route.body) {
		return { errors: raw.text === '' ? [] : [invalidInfo('body', 'This operation takes no body')] };
	}
	if (raw.text === '') {
		return { errors: route.bodyOptional ? [] : [invalidInfo('body', 'Field required')] };
	}
	if (!/^application\/json\s*(;|$)/i.test(raw.contentType)) {
		return { errors: [invalidInfo('header.content-type', 'Must be application/json')] };
	}
	try {
		return { value: JSON.parse(raw.text) as unknown, errors: [] };
	} catch {
		return { errors: [invalidInfo('body', 'The body is not valid JSON')] };
	}
}

/**
 * Checks query and body; returns the body. Converts the query in place, and fills in defaults.
 * Throws a 422 with every problem found.
 */
export function validateRequest(route: Route, query: unknown, raw: RawBody): unknown {
	const checks = checksOf(route);
	const errors = checks.query(query) ? [] : fail('query', checks.query);
	const body = parseBody(route, raw);
	errors.push(...body.errors);
	if (checks.body && body.value !== undefined && !checks.body(body.value)) {
		errors.push(...fail('body', checks.body));
	}
	if (errors.length > 0) throw new ServiceError(422, errors);
	return body.value;
}
