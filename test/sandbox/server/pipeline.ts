/** What happens to a request, in order; the same for every endpoint. */
import { setTimeout as sleep } from 'node:timers/promises';

import type { FastifyReply, FastifyRequest } from 'fastify';

import { altered, isFaultCursor, substitute, type FaultScene } from '../faults/responses';
import type { Faults } from '../faults/faults';
import type { Ids } from '../ids';
import { authenticate, authorize, sentSecret, type Caller } from './auth';
import { deliver, dropConnection, hang, type WireResponse } from './deliver';
import type { Environment } from './environment';
import { ServiceError } from './errors';
import { tellObservers } from './exchanges';
import type { SlidingWindow } from './rateLimit';
import type { RequestEntry, RequestLog } from './requestLog';
import type { RouteResponse, Route } from './route';
import { validateRequest, type RawBody } from './validation';

export interface Pipeline {
	env: Environment;
	faults: Faults;
	requests: RequestLog;
	limiter: SlidingWindow;
	ids: Ids;
}

type Query = Record<string, string | string[]>;

function logRequest(
	pipeline: Pipeline,
	route: Route | undefined,
	request: FastifyRequest,
	raw: RawBody,
): RequestEntry {
	let body: unknown = raw.text === '' ? undefined : raw.text;
	try {
		if (raw.text !== '') body = JSON.parse(raw.text) as unknown;
	} catch {
		// Not JSON: the text stays.
	}
	const entry: RequestEntry = {
		id: pipeline.ids.uuid('request'),
		endpoint: route?.endpoint,
		method: request.method,
		path: request.raw.url?.split('?')[0] ?? '',
		query: { ...(request.query as Query) },
		headers: request.headers,
		body,
		text: raw.text,
		at: pipeline.env.clock.now(),
		receivedAt: performance.timeOrigin + performance.now(),
	};
	// Tests read them, and a test that fails does not print them.
	for (const name of ['headers', 'text'] as const) {
		Object.defineProperty(entry, name, { enumerable: false });
	}
	pipeline.requests.add(entry);
	return entry;
}

async function respondTo(
	pipeline: Pipeline,
	route: Route | undefined,
	request: FastifyRequest,
	raw: RawBody,
	entry: RequestEntry,
): Promise<RouteResponse> {
	const { env } = pipeline;
	try {
		if (env.variants.rateLimit) {
			const key = sentSecret(request.headers)?.secret ?? request.ip;
			pipeline.limiter.admit(key, env.variants.rateLimit);
		}
		if (!route) throw new ServiceError(404, { message: 'Not Found' });
		const caller = route.isPublic
			? ({} as Caller)
			: authenticate(request.headers, (scheme, secret) => env.store.caller(scheme, secret));
		authorize(route, caller);
		const sent = request.query as Query;
		if (typeof sent.cursor === 'string' && isFaultCursor(sent.cursor)) delete sent.cursor;
		const response = await route.handle({
			params: paramsOf(request),
			...validateRequest(route, sent, raw),
			headers: request.headers,
			path: entry.path,
			caller,
			env,
		});
		const status = response.status ?? env.variants.successStatus[route.endpoint] ?? route.success;
		return status === 204 ? { status, headers: response.headers } : { ...response, status };
	} catch (error) {
		if (!(error instanceof ServiceError)) console.error('sandbox: a handler failed', error);
		const known =
			error instanceof ServiceError
				? error
				: new ServiceError(500, { details: error instanceof Error ? error.message : '' });
		// The address of the request, not the place of the value in it.
		const errors = known.errors.map((each) => ({ ...each, path: entry.path }));
		return { status: known.status, headers: known.headers, json: { errors, requestId: entry.id } };
	}
}

/** The values in the path; the router's wildcard becomes `path`. */
function paramsOf({ params }: FastifyRequest): Record<string, string> {
	const { '*': path, ...others } = params as Record<string, string>;
	return path === undefined ? others : { ...others, path };
}

function onTheWire(response: RouteResponse, entry: RequestEntry, hasDate: boolean): WireResponse {
	const json = response.json === undefined ? undefined : JSON.stringify(response.json);
	const text = response.text ?? json;
	const headers = {
		...(hasDate && { date: new Date(entry.at).toUTCString() }),
		'x-request-id': entry.id,
		...(text !== undefined && { 'content-type': 'application/json' }),
		...response.headers,
	};
	return { status: response.status ?? 200, headers, body: response.stream ?? text ?? '' };
}

export async function handleRequest(
	pipeline: Pipeline,
	route: Route | undefined,
	request: FastifyRequest,
	reply: FastifyReply,
): Promise<void> {
	const raw = (request.body ?? { text: '', contentType: '' }) as RawBody;
	const entry = logRequest(pipeline, route, request, raw);
	const cursor = typeof entry.query.cursor === 'string' ? entry.query.cursor : undefined;
	const scene: FaultScene = {
		requestId: entry.id,
		cursor,
	};
	const { delays, fault } = pipeline.faults.meet(entry);
	entry.fault = fault?.kind;
	const when = fault && 'when' in fault ? (fault.when ?? 'before') : undefined;
	const instead = fault && substitute(fault, scene);
	const send = async (response: RouteResponse) => {
		entry.status = response.status;
		const { dateHeader } = pipeline.env.variants;
		reply.raw.sendDate = dateHeader;
		await deliver(reply, onTheWire(response, entry, dateHeader), fault);
	};

	const isHandled = when !== 'before' && (!instead || when === 'after');
	if (!isHandled) tellObservers({ request: entry });
	for (const { ms } of delays) await sleep(ms);
	if (when === 'before' && fault?.kind === 'reset') return dropConnection(reply);
	if (when === 'before' && fault?.kind === 'hang') return hang(reply);
	if (instead && when !== 'after') return await send(instead);

	const response = await respondTo(pipeline, route, request, raw, entry);
	tellObservers({ request: entry, response });

	if (fault?.kind === 'reset') return dropConnection(reply);
	if (fault?.kind === 'hang') return hang(reply);
	await send(instead ?? (await altered(response, fault, scene)));
}
