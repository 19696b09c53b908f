/** Whether what a hostile value led to is right: a right request, or an error that names the field. */
import { endpoints, isRequestOf, type EndpointId, type Exchange } from '../../sandbox';
import { requestProblems } from '../../support/requestProblems';
import type { Leaf } from './fields';
import { TOKEN, type HostileValue } from './values';

export interface Shown {
	message: string;
	description?: string | null;
	httpCode?: string | null;
}

const CRASH =
	/cannot read propert|is not a function|is not iterable|TypeError|ReferenceError|SyntaxError|call stack|Invalid time value|circular structure|\[object Object\]|Converting/i;

/** Headers that the nodes send, and those of HTTP itself. */
const HEADERS =
	/^(accept|accept-encoding|authorization|connection|content-length|content-type|host|user-agent|x-api-key|x-wherobots-client)$/;

/** What may be made of a text on its way: spaces around it go, a list is split. */
function readings(value: unknown): Set<string> {
	const texts = [value].flat(2).map(String);
	const parts = texts.flatMap((text) => [text, ...text.split(',')]);
	const trimmed = parts.map((text) => text.trim());
	const bare = trimmed.map((text) => text.replace(/^\/+|\/+$/g, ''));
	return new Set([...parts, ...trimmed, ...bare]);
}

/** The parts of a path, decoded; the path of a file counts as one, and stands apart. */
function segmentsOf({ endpoint, path }: Exchange['request']): {
	segments: string[];
	file?: string;
} {
	const [before, after] = endpoint ? endpoints[endpoint].paths[0].split('{path}') : [path];
	const segments = path.split('/').map(decodeURIComponent);
	if (after === undefined) return { segments };
	const at = before.split('/').length - 1;
	return { segments: segments.slice(0, at), file: segments.slice(at).join('/').replace(/\/$/, '') };
}

/** All texts of a request, decoded: segments of its path, its query, and what its body holds. */
function textsOf({ request }: Exchange, known: ReadonlySet<string>): string[] {
	const { segments, file } = segmentsOf(request);
	const found: string[] = segments;
	// Other fields may name the storage or the folder before it, or the file in it.
	const holdsKnown = (place: string) =>
		[...known].some((text) => text !== '' && `/${place}/`.includes(`/${text}/`));
	if (file !== undefined && !holdsKnown(file)) found.push(file);
	const visit = (value: unknown) => {
		if (typeof value === 'string') {
			if (!value.startsWith('s3://') || !holdsKnown(value)) found.push(value);
		} else if (typeof value === 'object' && value !== null) {
			for (const [key, inner] of Object.entries(value)) {
				found.push(key);
				visit(inner);
			}
		}
	};
	visit(request.query);
	visit(request.body);
	return found;
}

function exchangeProblems(
	exchange: Exchange,
	{ value }: HostileValue,
	allowed: ReadonlySet<EndpointId>,
	type: Leaf['type'],
): string[] {
	const { method, path, endpoint, headers } = exchange.request;
	const at = `${method} ${path.slice(0, 120)}`;
	// Values that nobody knows pass: whether they are known is the service's to say.
	const problems = requestProblems(exchange)
		.filter((problem) => !problem.includes('Must be one of'))
		.filter((problem) => type !== 'json' || !problem.includes('Unknown field'))
		.map((problem) => `${at}: ${problem.slice(0, 300)}`);
	if (!endpoint || !allowed.has(endpoint) || !isRequestOf(endpoints[endpoint], method, path)) {
		return [`${at}: it is sent to another address`];
	}
	const foreign = Object.keys(headers).filter((name) => !HEADERS.test(name));
	if (foreign.length > 0) problems.push(`${at}: it has the headers ${foreign.join(', ')}`);
	if (type !== 'json' && typeof value === 'string') {
		const known = readings(value);
		const garbled = textsOf(exchange, known).filter(
			(text) => text.includes(TOKEN) && !known.has(text),
		);
		if (garbled.length > 0)
			problems.push(`${at}: it says ${JSON.stringify(garbled).slice(0, 200)}`);
	}
	return problems;
}

export interface Question {
	leaf: Leaf;
	hostile: HostileValue;
	errors: Shown[];
	exchanges: Exchange[];
	/** Where the operation sends requests at all. */
	allowed: ReadonlySet<EndpointId>;
}

/** What is wrong with what became of the value. */
export function problemsOf({ leaf, hostile, errors, exchanges, allowed }: Question): string[] {
	const problems = exchanges.flatMap((exchange) =>
		exchangeProblems(exchange, hostile, allowed, leaf.type),
	);
	for (const { message, description, httpCode } of errors) {
		const all = `${message}\n${description ?? ''}`;
		if (CRASH.test(all)) problems.push(`an error of the program: ${all.slice(0, 300)}`);
		const isOurs = !httpCode;
		if (isOurs && !namesField(leaf, all)) {
			problems.push(`an error that does not name the field: ${all.slice(0, 300)}`);
		}
		if (all.length > 9_000) problems.push(`an error of ${all.length} characters`);
	}
	if (errors.length > 1) problems.push(`${errors.length} errors`);
	if ('polluted' in {}) problems.push('it changed the prototype of objects');
	return problems;
}

export function namesField({ labels }: Leaf, text: string): boolean {
	return labels.some((label) => text.includes(`'${label}'`));
}
