/** How an endpoint is described: as data, with the handler as its only code. */
import { z } from 'zod/v4';

import type { EndpointId as CalledId } from '../../../nodes/Wherobots/service/endpoints';
import type { Caller } from './auth';
import type { Environment } from './environment';

/**
 * The names of the package, so that none of its endpoints is forgotten here, and what only other clients
 * ask for. Methods, paths and all else are written from the interface and not from the package: a path
 * that is wrong there gets a 404 here.
 */
export type EndpointId =
	| Exclude<
			CalledId,
			'exportAuditLogByGuidePath' | `api${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'}`
	  >
	| 'getMe'
	| 'getStorageCredentials';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Method and path below the base URL, as the interface writes them; `{path}` may have slashes, or be empty. */
export type Address = `${Method} /${string}`;

/** What a handler returns: at most one of `json`, `text` and `stream`; without any, the body is empty. */
export interface RouteResponse {
	/** Only when it differs from the success status of the route. */
	status?: number;
	headers?: Record<string, string>;
	/** Serialised by the pipeline. */
	json?: unknown;
	/** A body that is ready; JSON unless the headers say otherwise. */
	text?: string;
	/** Produced only as fast as the client reads. */
	stream?: AsyncIterable<Buffer> | Iterable<Buffer>;
}

export interface Call<Query = unknown, Body = unknown> {
	params: Record<string, string>;
	query: Query;
	body: Body;
	headers: Record<string, string | string[] | undefined>;
	/** Path as it was requested, without the query. */
	path: string;
	/** Not for public routes. */
	caller: Caller;
	env: Environment;
}

export interface Route {
	endpoint: EndpointId;
	/** Several where the interface has several. */
	at: Address | Address[];
	/** Status of a success. */
	success: number;
	/** Properties of the query string; anything else is ignored, as clients still send what was once there. */
	query: z.ZodObject;
	/** The schema of the JSON body; without one, the request must have no body. */
	body?: z.ZodType;
	/** No key or token is needed. */
	isPublic?: boolean;
	adminOnly?: boolean;
	/** Editions that may not run jobs may not use it. */
	paidOnly?: boolean;
	handle(call: Call): RouteResponse | Promise<RouteResponse>;
}

/** A route before it has its name; a success has status 200 unless it says otherwise. */
export type RouteDraft = Omit<Route, 'endpoint' | 'success'> & Partial<Pick<Route, 'success'>>;

/** Gives the handler the types of the route's schemas: it is called only with a request that they accept. */
export function route<Query extends z.ZodRawShape, Body extends z.ZodType>(
	draft: Omit<RouteDraft, 'query' | 'body' | 'handle'> & {
		query?: Query;
		body?: Body;
		handle(
			call: Call<z.infer<z.ZodObject<Query>>, z.infer<Body>>,
		): RouteResponse | Promise<RouteResponse>;
	},
): RouteDraft {
	return { ...draft, query: z.object(draft.query ?? {}) } as unknown as RouteDraft;
}

/** The method and the paths of an endpoint. */
export function addressOf({ at }: Pick<Route, 'at'>): { method: Method; paths: string[] } {
	const addresses = [at].flat().map((each) => each.split(' '));
	return { method: addresses[0][0] as Method, paths: addresses.map(([, path]) => path) };
}

/** Whether a request as it was sent (path still encoded) belongs to an endpoint. */
export function isRequestOf(
	endpoint: ReturnType<typeof addressOf>,
	method: string,
	path: string,
): boolean {
	return (
		method === endpoint.method &&
		endpoint.paths.some((template) => {
			const pattern = template.replace('{path}', '.*').replace(/\{\w+\}/g, '[^/]+');
			return new RegExp(`^${pattern}$`).test(path);
		})
	);
}
