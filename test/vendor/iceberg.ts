/**
 * The service's second address for catalogs: Iceberg's REST interface, as far as the vendor's catalog
 * client reads it. The package does not use it, so the sandbox has none.
 */
import fastify from 'fastify';

import type { Sandbox } from '../sandbox';

export type Iceberg = Awaited<ReturnType<typeof startIceberg>>;

const NAMESPACES = '/iceberg/catalogs/:id/v1/namespaces';

export async function startIceberg(sandbox: Sandbox) {
	const server = fastify({ forceCloseConnections: true });
	for (const route of [NAMESPACES, `${NAMESPACES}/:namespace/tables`]) {
		server.get<{ Params: { id: string; namespace?: string } }>(route, async (request, reply) => {
			const { headers, params } = request;
			const { apiKey } = sandbox.credentials.admin;
			const isAllowed =
				headers['x-api-key'] === apiKey && headers.authorization === `Bearer ${apiKey}`;
			const body = isAllowed && listed(sandbox, params.id, params.namespace);
			if (body) return body;
			const error = { message: 'Not found', type: 'NotFoundException', code: 404 };
			return await reply.code(404).send({ error });
		});
	}
	const url = await server.listen({ host: '127.0.0.1', port: 0 });
	return { url, stop: async () => await server.close() };
}

function listed({ store }: Sandbox, id: string, namespace: string | undefined): object | undefined {
	const namespaces = store.catalogs.get(id)?.namespaces;
	if (namespace === undefined) {
		return namespaces && { namespaces: [...namespaces.keys()].map((name) => [name]) };
	}
	const entries = namespaces?.get(namespace)?.entries.values();
	return (
		entries && {
			identifiers: [...entries].flatMap(({ kind, name }) =>
				kind === 'TABLE' ? [{ namespace: [namespace], name }] : [],
			),
		}
	);
}
