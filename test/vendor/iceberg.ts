/**
 * The service's second address for catalogs: Iceberg's REST interface, as far as the vendor's catalog
 * client reads it. The package does not use it, so the sandbox has none.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { Sandbox } from '../sandbox';

export interface Iceberg {
	url: string;
	stop(): Promise<void>;
}

const ROUTE = /^\/iceberg\/catalogs\/([^/]+)\/v1\/namespaces(?:\/([^/]+)\/tables)?$/;

export async function startIceberg(sandbox: Sandbox): Promise<Iceberg> {
	const server = createServer(({ url = '', headers }, response) => {
		const [, id, namespace] = (ROUTE.exec(url.split('?')[0]) ?? []).map((part) =>
			part === undefined ? undefined : decodeURIComponent(part),
		);
		const { apiKey } = sandbox.credentials.admin;
		const isAllowed =
			headers['x-api-key'] === apiKey && headers.authorization === `Bearer ${apiKey}`;
		const body = isAllowed && id !== undefined ? listed(sandbox, id, namespace) : undefined;
		const error = { message: 'Not found', type: 'NotFoundException', code: 404 };
		response.writeHead(body ? 200 : 404, { 'content-type': 'application/json' });
		response.end(JSON.stringify(body ?? { error }));
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		async stop() {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
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
