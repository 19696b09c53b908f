/** Cloud connections: interface.md "Cloud connections"; links and templates have their own file. */
import { z } from 'zod/v4';

import { ServiceError } from '../server/errors';
import { route, type Call } from '../server/route';

const connectionOf = ({ env, params }: Pick<Call, 'env' | 'params'>) =>
	env.store.cloudConnections.existing(params.connection_id);

export const listCloudConnections = route({
	at: 'GET /cloud-connections',
	handle({ env }) {
		const { cloudConnections } = env.store;
		return { json: cloudConnections.all().map((each) => cloudConnections.view(each)) };
	},
});

const accountId = z.string().regex(/^\d{12}$/);

export const createCloudConnection = route({
	at: 'POST /cloud-connections',
	success: 201,
	body: z.strictObject({
		name: z.string().min(1).max(100),
		awsAccountId: accountId,
		trustedAccountIds: z.array(accountId).optional(),
		allowSaas: z.boolean().default(true),
	}),
	handle({ env, body }) {
		const { cloudConnections } = env.store;
		if (cloudConnections.all().some(({ name }) => name === body.name)) {
			throw new ServiceError(409, { details: `There is a connection '${body.name}' already.` });
		}
		return { json: cloudConnections.view(cloudConnections.create(body)) };
	},
});

export const getCloudConnection = route({
	at: 'GET /cloud-connections/{connection_id}',
	handle: (call) => ({ json: call.env.store.cloudConnections.view(connectionOf(call)) }),
});

export const deleteCloudConnection = route({
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

const binding = z.strictObject({
	type: z.literal('storage'),
	path: z.string().regex(/^s3:\/\/[^/]+/),
	accessType: z.enum(['READ', 'READ_WRITE']),
});

export const verifyCloudConnection = route({
	at: 'POST /cloud-connections/{connection_id}/verify',
	body: z.strictObject({ binding: binding.nullish() }),
	handle(call) {
		const connection = connectionOf(call);
		const { binding: asked } = call.body;
		if (call.env.clock.now() < connection.verifiesAt) {
			const roleAssumption = { status: 'FAILED', reason: connection.reason };
			return { json: { roleAssumption, bindingAccess: null } };
		}
		const granted = { status: 'OK', reason: null };
		const write = asked?.accessType === 'READ_WRITE';
		const checks = { list: true, get: true, put: write, delete: write };
		const bindingAccess = asked ? { ...granted, checks } : null;
		return { json: { roleAssumption: granted, bindingAccess } };
	},
});
