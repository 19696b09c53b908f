/** Holds exchanges between the nodes and the sandbox against the contract. */
import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';

import type { EndpointId } from '../interface/endpoints';
import type { Exchange } from '../sandbox';
import { contracts } from './index';
import { object, type Schema } from './schema';
import { errorBody } from './shared';

const CLIENT = /^client=n8n;ver=\d+\.\d+\.\d+$/;
const USER_AGENT = /^n8n-nodes-wherobots\/\d+\.\d+\.\d+$/;

const options = { allErrors: true, allowUnionTypes: true, strictRequired: false };
const bodies = new Ajv(options);
// A query is text: numbers and booleans in it are read as such, one value counts as a list of one.
const queries = new Ajv({ ...options, coerceTypes: 'array' });
addFormats(bodies);
addFormats(queries);

const compiled = new WeakMap<Schema, ValidateFunction>();

function problemsOf(ajv: Ajv, schema: Schema, value: unknown, where: string): string[] {
	const validate = compiled.get(schema) ?? ajv.compile(schema);
	compiled.set(schema, validate);
	if (validate(value)) return [];
	return (validate.errors ?? []).map(
		({ instancePath, message, params }) =>
			`${where}${instancePath}: ${message} ${JSON.stringify(params)}`,
	);
}

const querySchemas = new Map<EndpointId, Schema>();

function querySchema(endpoint: EndpointId): Schema {
	let schema = querySchemas.get(endpoint);
	if (!schema) {
		const { query = {}, requiredQuery = [] } = contracts[endpoint];
		schema = { ...object(query), required: requiredQuery };
		querySchemas.set(endpoint, schema);
	}
	return schema;
}

/** What breaks the contract in a request of the nodes. Other clients' requests are their own matter. */
export function requestProblems({ request }: Exchange): string[] {
	const { endpoint, headers, query, body } = request;
	if (!USER_AGENT.test(String(headers['user-agent'])) || endpoint === undefined) return [];
	const contract = contracts[endpoint];
	if (!contract) return [`no contract for ${endpoint}`];

	const problems = problemsOf(queries, querySchema(endpoint), structuredClone(query), 'query');
	if (contract.body) problems.push(...problemsOf(bodies, contract.body, body, 'request'));
	else if (body !== undefined) problems.push('request: has a body');
	const hasType = /^application\/json/.test(String(headers['content-type']));
	if (hasType !== (body !== undefined)) problems.push('request: content type without body');
	if (!CLIENT.test(String(headers['x-wherobots-client'])))
		problems.push('request: names no client');
	const secrets = [headers['x-api-key'], headers.authorization].filter(Boolean);
	if (secrets.length !== 1) problems.push(`request: ${secrets.length} kinds of authentication`);
	return problems;
}

/** What breaks the contract in a response of the sandbox. */
export function responseProblems({ request, response }: Exchange): string[] {
	const contract = request.endpoint === undefined ? undefined : contracts[request.endpoint];
	if (!response) return [];
	const status = response.status ?? 200;
	if (status >= 400) return problemsOf(bodies, errorBody, response.json, `response ${status}`);
	if (!contract) return [`a success of an unknown endpoint: ${request.method} ${request.path}`];
	if (contract.response === 'none' || status === 204) return [];
	if (contract.response === 'redirect' && status >= 300) {
		return response.headers?.location ? [] : ['response: leads nowhere'];
	}
	if (contract.response === 'file' || contract.response === 'redirect') {
		return response.stream || response.text ? [] : ['response: is not a file'];
	}
	const json = response.text === undefined ? response.json : (JSON.parse(response.text) as unknown);
	return problemsOf(bodies, contract.response, json, `response ${status}`);
}

/** Everything that breaks the contract in an exchange, each with the request it belongs to. */
export function exchangeProblems(exchange: Exchange): string[] {
	const { method, path } = exchange.request;
	return [...requestProblems(exchange), ...responseProblems(exchange)].map(
		(problem) => `${method} ${path}: ${problem}`,
	);
}
