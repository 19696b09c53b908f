/** Cloud connections: interface.md "Cloud connections"; links and templates have their own file. */
import type { CloudConnectionRecord } from '../model/cloudConnections';
import { notFound, ServiceError } from '../server/errors';
import { route, type Call } from '../server/route';
import { strictObject } from '../server/validation';
import { stackRoutes } from './cloudStacks';

function connectionOf({ env, params }: Pick<Call, 'env' | 'params'>): CloudConnectionRecord {
	const connection = env.store.cloudConnections.get(params.connection_id);
	if (!connection) throw notFound('Cloud connection', params.connection_id);
	return connection;
}

const listCloudConnections = route({
	at: 'GET /cloud-connections',
	handle({ env }) {
		const { cloudConnections } = env.store;
		return { json: cloudConnections.all().map((each) => cloudConnections.view(each)) };
	},
});

interface CreateBody {
	name: string;
	awsAccountId: string;
	trustedAccountIds?: string[];
	allowSaas: boolean;
}

const createCloudConnection = route<never, CreateBody>({
	at: 'POST /cloud-connections',
	success: 201,
	body: strictObject(
		{
			name: { type: 'string', minLength: 1, maxLength: 100 },
			awsAccountId: { type: 'string', pattern: '^\\d{12}$' },
			trustedAccountIds: { type: 'array', items: { type: 'string', pattern: '^\\d{12}$' } },
			allowSaas: { type: 'boolean', default: true },
		},
		['name', 'awsAccountId'],
	),
	handle({ env, body }) {
		const { cloudConnections } = env.store;
		if (cloudConnections.all().some(({ name }) => name === body.name)) {
			throw new ServiceError(409, { details: `There is a connection '${body.name}' already.` });
		}
		return { json: cloudConnections.view(cloudConnections.create(body)) };
	},
});

const getCloudConnection = route({
	at: 'GET /cloud-connections/{connection_id}',
	handle: (call) => ({ json: call.env.store.cloudConnections.view(connectionOf(call)) }),
});

const deleteCloudConnection = route({
	at: 'DELETE /cloud-connections/{connection_id}',
	handle(call) {
		const connection = connectionOf(call);
		if (connection.bindings && connection.bindings.length > 0) {
			const names = connection.bindings.map(({ name }) => name).join(', ');
			throw new ServiceError(409, { details: `The connection is in use by: ${names}.` });
		}
		call.env.store.cloudConnections.delete(connection);
		return { text: 'null' };
	},
});

interface VerifyBody {
	binding?: { type: 'storage'; path: string; accessType: 'READ' | 'READ_WRITE' } | null;
}

function bindingAccess(
	connection: CloudConnectionRecord,
	binding: NonNullable<VerifyBody['binding']>,
): Record<string, unknown> {
	const bucket = binding.path.replace('s3://', '').split('/')[0];
	const denied = connection.deniedBuckets.includes(bucket);
	const write = !denied && binding.accessType === 'READ_WRITE';
	return {
		status: denied ? 'DENIED' : 'OK',
		reason: denied ? `Access to bucket '${bucket}' is denied.` : null,
		checks: { list: !denied, get: !denied, put: write, delete: write },
	};
}

const verifyCloudConnection = route<never, VerifyBody>({
	at: 'POST /cloud-connections/{connection_id}/verify',
	body: strictObject({
		binding: {
			...strictObject(
				{
					type: { const: 'storage' },
					path: { type: 'string', pattern: '^s3://[^/]+' },
					accessType: { type: 'string', enum: ['READ', 'READ_WRITE'] },
				},
				['type', 'path', 'accessType'],
			),
			nullable: true,
		},
	}),
	handle(call) {
		const connection = connectionOf(call);
		const { binding } = call.body;
		if (call.env.clock.now() < connection.verifiesAt) {
			const roleAssumption = { status: 'FAILED', reason: connection.reason };
			return { json: { roleAssumption, bindingAccess: null } };
		}
		return {
			json: {
				roleAssumption: { status: 'OK', reason: null },
				bindingAccess: binding ? bindingAccess(connection, binding) : null,
			},
		};
	},
});

export const cloudConnectionRoutes = {
	listCloudConnections,
	createCloudConnection,
	getCloudConnection,
	deleteCloudConnection,
	verifyCloudConnection,
	...stackRoutes,
};
