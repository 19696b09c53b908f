/** Uses of SQL and SQL Session, for cases.ts. */
import type { Sandbox } from '../../sandbox';
import { people } from '../../sandbox/model/people';
import { sqlSessionPayload } from '../../sandbox/sql/sessions';
import { by } from '../../support/files';
import type { OperationCase } from './cases';
import { at } from './parameters';

/** The ID of a new session of the caller. */
export function aSession({ sql }: Sandbox): string {
	const ask = {
		region: 'aws-us-west-2',
		ownerId: people.admin.id,
		payload: sqlSessionPayload.parse({}),
	};
	return sql.sessions.request(ask, true).session.id;
}

export const sqlCases: Record<string, OperationCase> = {
	'sql executeQuery': {
		endpoint: 'createSqlSession',
		good: ({ sql }) => {
			sql.answer(/^SELECT 1 AS one/, { rows: [{ one: 1 }] });
			return { query: 'SELECT 1 AS one' };
		},
		also: [
			({ sql }) => {
				sql.answer(/^INSERT/, {});
				return { query: 'INSERT INTO t VALUES (1)', output: 'csv' };
			},
		],
		bad: [{ query: 'SELECT :a' }, "'Query Parameters' has no value for :a"],
		// A session is requested once and then only read.
		shared: true,
	},
	'table getRows': {
		endpoint: 'createSqlSession',
		good: ({ sql }) => {
			sql.answer(/^SELECT \* FROM `org_catalog`/, { rows: [{ id: 1n }] });
			const box = { spatialFilter: 'box', boundingBox: '-180, -90, 180, 90' };
			return { ...at('cat-org', 'noaa', 'hail'), ...box };
		},
		bad: [{ boundingBox: '7, 95, 8, 96' }, "'Bounding Box' must be west, south, east and north"],
		shared: true,
	},
	'table insertRows': {
		endpoint: 'createSqlSession',
		good: ({ sql }) => {
			// Whatever the catalog is called: the demo's own answer takes its time.
			sql.answer(/^INSERT INTO `/, {});
			const row = { mappingMode: 'defineBelow', value: { id: '7' } };
			return { ...at('cat-org', 'noaa', 'hail'), row, options: { srid: 4326 } };
		},
		bad: [{ options: { srid: 0 } }, "'SRID' must be at least 1"],
		shared: true,
	},
	'sqlSession delete': {
		endpoint: 'deleteSqlSession',
		good: (sandbox) => ({ sessionId: by('id', aSession(sandbox)) }),
		bad: [{ sessionId: by('id', '..') }, '\'Session\' must not be ".."'],
	},
	'sqlSession getAll': {
		endpoint: 'listSqlSessions',
		good: (sandbox) => {
			// One session that stays the same, however often this is called.
			sandbox.sql.planSessions({ startMs: 0 });
			if (sandbox.sql.sessions.all().length === 0) aSession(sandbox);
			return { limit: 5 };
		},
		bad: [{ returnAll: false, limit: 0 }, "'Limit' must be at least 1"],
	},
};
