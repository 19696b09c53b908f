/** Whether a request of the nodes is one that the service describes. */
import { routes, type Exchange } from '../sandbox';
import { ServiceError } from '../sandbox/server/errors';
import { validateRequest } from '../sandbox/server/validation';

const CLIENT = /^client=n8n;ver=\d+\.\d+\.\d+$/;
const USER_AGENT = /^n8n-nodes-wherobots\/\d+\.\d+\.\d+$/;

/** A point in time. Those that are sent are in UTC, so that nobody has to guess. */
const TIME = /^\d{4}-\d{2}-\d{2}(T|$)/;
const TIMES = /^(startTime|endTime|created_?after|expiresAt)$/i;

type Request = Exchange['request'];

/** What the sandbox refuses: bodies have no unknown members, a query may have what is ignored. */
function refusals({ endpoint, query, headers, text }: Request): string[] {
	const route = routes.find((each) => each.endpoint === endpoint);
	if (!route) return [`there is no ${endpoint}`];
	const ignored = Object.keys(query)
		.filter((name) => !(name in route.query.shape))
		.map((name) => `query.${name}: Unknown field`);
	try {
		const contentType = String(headers['content-type'] ?? '');
		validateRequest(route, query, { text, contentType });
		return ignored;
	} catch (error) {
		if (!(error instanceof ServiceError)) throw error;
		return [...ignored, ...error.errors.map(({ path, details }) => `${path}: ${details}`)];
	}
}

/** What is wrong with a request of the nodes. Other clients' requests are their own matter. */
export function requestProblems({ request }: Exchange): string[] {
	const { endpoint, headers, query, body } = request;
	if (!USER_AGENT.test(String(headers['user-agent'])) || endpoint === undefined) return [];
	const problems = refusals(request);
	for (const [name, value] of Object.entries({ ...query, ...(body as object | undefined) })) {
		const isLocal = TIMES.test(name) && TIME.test(String(value)) && !String(value).endsWith('Z');
		if (isLocal) problems.push(`${name}: ${String(value)} is not in UTC`);
	}
	if (body === undefined && headers['content-type']) problems.push('a content type without a body');
	if (!CLIENT.test(String(headers['x-wherobots-client']))) problems.push('it names no client');
	const secrets = [headers['x-api-key'], headers.authorization].filter(Boolean);
	if (secrets.length !== 1) problems.push(`${secrets.length} kinds of authentication`);
	return problems;
}
