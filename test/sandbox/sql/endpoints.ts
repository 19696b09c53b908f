/** SQL sessions over REST: the public description of the service. */
import { z } from 'zod/v4';

import { RUNTIMES } from '../endpoints/runSchemas';
import { found, notFound, ServiceError } from '../server/errors';
import { route, type Call } from '../server/route';
import { isOver, sqlSessionPayload, type SqlSession } from './sessions';

/** A session of the caller; those of others do not exist for the caller. */
function ownSession({ env, params, caller }: Pick<Call, 'env' | 'params' | 'caller'>) {
	const session = env.sql.sessions.get(params.session_id);
	return session?.ownerId === caller.customerId ? session : undefined;
}

async function view({ env }: Pick<Call, 'env'>, session: SqlSession) {
	return env.sql.sessions.view(session, await env.sql.server.urlOf(session));
}

function regionOf({ env }: Pick<Call, 'env'>, region?: string): string {
	const { regions } = env.variants;
	if (region !== undefined && !regions.includes(region)) {
		throw new ServiceError(400, { details: `Region '${region}' is not available.` });
	}
	return region ?? regions[0];
}

export const createSqlSession = route({
	at: 'POST /sql/session',
	success: 303,
	// How the service's framework reads booleans: the Python driver writes `False`.
	query: {
		force_new: z
			.string()
			.regex(/^([Tt]rue|[Ff]alse|TRUE|FALSE|0|1)$/)
			.optional(),
		region: z.string().optional(),
	},
	body: sqlSessionPayload,
	handle(call) {
		const { env, query, body, caller, headers, path } = call;
		if (body.runtimeId && !RUNTIMES.includes(body.runtimeId)) {
			throw new ServiceError(422, { details: 'Unknown runtime', field: 'runtimeId' });
		}
		const ask = { region: regionOf(call, query.region), ownerId: caller.customerId, payload: body };
		const forceNew = /^(true|1)$/i.test(query.force_new ?? '');
		const { session, fallback } = env.sql.sessions.request(ask, forceNew);
		const location = `${path}/${session.id}`;
		const isAbsolute = env.variants.sqlSessionLocation === 'absolute';
		const origin = `${env.tls ? 'https' : 'http'}://${String(headers.host)}`;
		return {
			headers: {
				location: isAbsolute ? `${origin}${location}` : location,
				...(fallback && { 'X-Wherobots-Sql-Session-Fallback': fallback }),
			},
			text: 'null',
		};
	},
});

export const getSqlSession = route({
	at: 'GET /sql/session/{session_id}',
	async handle(call) {
		const session = ownSession(call);
		if (session) return { json: await view(call, session) };
		if (call.env.variants.sqlUnknownSession === 'null') return { text: 'null' };
		throw notFound('Session', call.params.session_id);
	},
});

export const listSqlSessions = route({
	at: 'GET /sql/sessions',
	query: { region: z.string().optional() },
	async handle(call) {
		const { env, query, caller } = call;
		const { sessions } = env.sql;
		const own = sessions
			.all()
			.filter(({ ownerId }) => ownerId === caller.customerId)
			.filter(({ region }) => query.region === undefined || region === query.region)
			.filter((each) => !isOver(sessions.statusOf(each)));
		return { json: await Promise.all(own.map(async (session) => await view(call, session))) };
	},
});

export const deleteSqlSession = route({
	at: 'DELETE /sql/session/{session_id}',
	handle(call) {
		const session = found(ownSession(call), 'Session', call.params.session_id);
		const { sql } = call.env;
		if (!isOver(sql.sessions.statusOf(session))) sql.remove(session);
		return { text: 'null' };
	},
});
