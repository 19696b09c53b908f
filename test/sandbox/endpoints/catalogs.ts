/** Catalogs: interface.md "Catalogs" and "Table deletion rules". */
import { z } from 'zod/v4';

import { idOf } from '../ids';
import type { NamespaceRecord, TableRecord } from '../model/catalogs';
import {
	catalogView,
	explorerCatalogView,
	listItemView,
	tableView,
	viewView,
} from '../model/catalogViews';
import { ORGANIZATION_ID } from '../model/people';
import { found, ServiceError } from '../server/errors';
import { toJson } from '../server/json';
import { route, type Call } from '../server/route';
import { nullableText } from '../server/validation';
import { recordTime } from '../time';

type AnyCall = Pick<Call, 'env' | 'params'>;

const catalogOf = ({ env, params }: AnyCall) => env.store.catalogs.existing(params.catalog_id);

function namespaceOf(call: AnyCall): NamespaceRecord {
	const name = call.params.namespace_name;
	return found(catalogOf(call).namespaces.get(name), 'Namespace', name);
}

function tableOf(call: AnyCall): TableRecord {
	const name = call.params.table_name;
	const entry = namespaceOf(call).entries.get(name);
	return found(entry?.kind === 'TABLE' ? entry : undefined, 'Table', name);
}

function brokenMetadata(table: TableRecord): ServiceError {
	return new ServiceError(400, {
		message: 'Table metadata could not be read',
		details: `The metadata file below '${table.location}/metadata' is broken or missing.`,
		suggestion: 'Delete with force_delete_catalog_entry=true to remove the catalog entry.',
	});
}

export const listCatalogs = route({
	at: 'GET /catalogs',
	handle: ({ env }) => ({ json: { catalogs: env.store.catalogs.all().map(catalogView) } }),
});

export const createCatalog = route({
	at: 'POST /catalogs',
	success: 201,
	body: z.strictObject({
		name: z.string().min(1),
		location: z
			.string()
			.regex(/^$|^s3:\/\/[^/]+/)
			.nullish(),
		organizationId: nullableText,
	}),
	handle({ env, body }) {
		if (body.organizationId && body.organizationId !== ORGANIZATION_ID) {
			throw new ServiceError(403, { details: 'The organization is not yours.' });
		}
		if (env.store.catalogs.all().some(({ name }) => name === body.name)) {
			throw new ServiceError(409, { details: `There is a catalog '${body.name}' already.` });
		}
		const location = body.location ?? undefined;
		return { json: explorerCatalogView(env.store.catalogs.create({ name: body.name, location })) };
	},
});

export const getCatalogHierarchy = route({
	at: 'GET /catalogs/hierarchy',
	handle: ({ env }) => ({ json: { catalogs: env.store.catalogs.all().map(explorerCatalogView) } }),
});

export const listNamespaces = route({
	at: 'GET /catalogs/{catalog_id}/namespaces',
	handle(call) {
		const names = [...catalogOf(call).namespaces.values()].map(({ name }) => ({ name }));
		return { json: { namespaces: names } };
	},
});

export const listTables = route({
	at: 'GET /catalogs/{catalog_id}/namespaces/{namespace_name}/tables',
	handle: (call) => ({
		json: {
			tables: [...namespaceOf(call).entries.values()].map((entry) => ({
				...listItemView(entry),
				...(call.env.variants.tableUpdateTime === 'none' && { updateTime: null }),
			})),
		},
	}),
});

export const getTable = route({
	at: 'GET /catalogs/{catalog_id}/namespaces/{namespace_name}/tables/{table_name}',
	handle(call) {
		const table = tableOf(call);
		if (table.broken) throw brokenMetadata(table);
		const { tableSnapshots, tableUpdateTime } = call.env.variants;
		return {
			text: toJson({
				...tableView(table),
				...(tableUpdateTime !== 'both' && { updateTime: null }),
				...(tableSnapshots !== 'all' && { refs: null }),
				...(tableSnapshots === 'null' && { snapshots: null }),
			}),
		};
	},
});

export const deleteTable = route({
	at: 'DELETE /catalogs/{catalog_id}/namespaces/{namespace_name}/tables/{table_name}',
	success: 204,
	query: { force_delete_catalog_entry: z.stringbool().default(false) },
	adminOnly: true,
	handle(call) {
		const catalog = catalogOf(call);
		const table = tableOf(call);
		if (catalog.type !== 'MANAGED') {
			throw new ServiceError(400, {
				message: 'Not supported for foreign catalogs',
				details: `Tables of '${catalog.name}' (${catalog.type}) can't be deleted here.`,
			});
		}
		if (table.broken && !call.query.force_delete_catalog_entry) throw brokenMetadata(table);
		namespaceOf(call).entries.delete(table.name);
		return {};
	},
});

export const getTableCredentials = route({
	at: 'POST /catalogs/{catalog_id}/namespaces/{namespace_name}/tables/{table_name}/credentials',
	handle(call) {
		const table = tableOf(call);
		const now = call.env.clock.now();
		const secret = (kind: string, length: number) =>
			idOf(`${kind}:${table.location}:${now}`, length).toUpperCase();
		return {
			json: {
				accessKey: `SANDBOX${secret('access', 13)}`,
				secretKey: secret('secret', 40),
				sessionToken: secret('session', 64),
				expiration: recordTime(now + 3_600_000),
				region: table.region,
			},
		};
	},
});

export const getView = route({
	at: 'GET /catalogs/{catalog_id}/namespaces/{namespace_name}/views/{view_name}',
	handle(call) {
		const name = call.params.view_name;
		const entry = namespaceOf(call).entries.get(name);
		return { json: viewView(found(entry?.kind === 'VIEW' ? entry : undefined, 'View', name)) };
	},
});
