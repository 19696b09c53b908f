/** The HTTP server: fastify routes and reads, the pipeline decides. */
import type { RequestListener } from 'node:http';

import {
	fastify,
	type FastifyInstance,
	type FastifyRequest,
	type RouteHandlerMethod,
} from 'fastify';

import { ServiceError } from './errors';
import { createOrigin } from './origin';
import { handleRequest, type Pipeline } from './pipeline';
import { addressOf, type Route } from './route';
import type { RawBody } from './validation';

/** `/runs/{run_id}` as the router writes it: `/runs/:run_id`. A value that may contain slashes is a wildcard. */
function routerPath(path: string): string {
	return path.replace('{path}', '*').replace(/\{(\w+)\}/g, ':$1');
}

/** A body on a GET: the router doesn't read it, but the interface has none. */
function hasUnreadBody(request: FastifyRequest): boolean {
	const { headers } = request;
	return Number(headers['content-length'] ?? 0) > 0 || headers['transfer-encoding'] !== undefined;
}

export function buildApp(pipeline: Pipeline, routes: Route[]): FastifyInstance {
	const { tls } = pipeline.env;
	const app = fastify({
		...(tls && { serverFactory: (handler: RequestListener) => createOrigin(tls, handler) }),
		forceCloseConnections: true,
		exposeHeadRoutes: false,
		bodyLimit: 10 * 1024 * 1024,
		routerOptions: { maxParamLength: 10_000 },
		// Malformed percent escapes never reach a route.
		frameworkErrors: (_error, request, reply) => {
			void handleRequest(pipeline, undefined, request, reply);
		},
	});
	app.removeAllContentTypeParsers();
	app.addContentTypeParser('*', { parseAs: 'string' }, (request, body, done) => {
		const raw: RawBody = { text: String(body), contentType: request.headers['content-type'] ?? '' };
		done(null, raw);
	});
	app.setErrorHandler(async (error: Error & { statusCode?: number }, _request, reply) => {
		const { errors, status } = new ServiceError(error.statusCode ?? 500, {
			details: error.message,
		});
		const requestId = pipeline.ids.uuid('request');
		await reply.code(status).send({ errors, requestId });
	});
	app.setNotFoundHandler(async (request, reply) => {
		await handleRequest(pipeline, undefined, request, reply);
	});
	for (const route of routes) {
		const { method, paths } = addressOf(route);
		const handler: RouteHandlerMethod = async (request, reply) => {
			if (request.body === undefined && hasUnreadBody(request)) {
				request.body = { text: '(not read)', contentType: '' } satisfies RawBody;
			}
			await handleRequest(pipeline, route, request, reply);
			return reply;
		};
		for (const path of paths) app.route({ method, url: routerPath(path), handler });
	}
	return app;
}
