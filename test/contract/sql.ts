/** SQL sessions, from the public description of the service. */
import {
	filled,
	flag,
	integer,
	listOf,
	nullable,
	object,
	oneOf,
	text,
	time,
	type Contracts,
} from './schema';

const session = object({
	id: filled,
	createTime: time,
	updateTime: time,
	instanceId: text,
	appType: { const: 'SQL_SESSION' },
	// An open list: starting, ready, failed and gone.
	status: filled,
	createdById: nullable(text),
	'apiPayload?': nullable({ type: 'object' }),
	'appMeta?': nullable(object({ 'url?': text, 'resolved_version?': nullable(text) })),
	'events?': listOf({ type: 'object' }),
	cpuUsage: integer,
	regionName: text,
	message: nullable(text),
});

export const sqlContracts = {
	createSqlSession: {
		query: { force_new: flag, region: text },
		body: object({
			'runtimeId?': nullable(filled),
			'version?': nullable(filled),
			'environmentPresetId?': nullable(filled),
			'environmentOverridePresetId?': nullable(filled),
			'idleTimeoutMinutes?': nullable(integer),
			'shutdownAfterInactiveSeconds?': nullable(integer),
			'sessionType?': oneOf('single', 'multi'),
			'sessionKey?': nullable(filled),
		}),
		response: 'redirect',
	},
	getSqlSession: { response: nullable(session) },
	listSqlSessions: { query: { region: text }, response: listOf(session) },
	deleteSqlSession: { response: 'none' },
} satisfies Contracts;
