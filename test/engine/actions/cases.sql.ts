/** Uses of SQL and SQL Session, for cases.ts. */
import { STATEMENT_LIMITS } from '../../../nodes/Wherobots/useCases/sql/statement';
import type { Sandbox } from '../../sandbox';
import type { TableRecord } from '../../sandbox/model/catalogs';
import { people } from '../../sandbox/model/people';
import { sqlSessionPayload } from '../../sandbox/sql/sessions';
import { by } from '../../support/files';
import { dots, noLimit, use, type OperationCase } from './operationCase';
import { at } from './parameters';

const hail = at('cat-org', 'noaa', 'hail');

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
	'sql executeQuery': use(
		'createSqlSession',
		({ sql }) => {
			sql.answer(/^SELECT 1 AS one/, { rows: [{ one: 1 }] });
			return { query: 'SELECT 1 AS one' };
		},
		[{ query: 'SELECT :a' }, "'Query Parameters' has no value for :a"],
		{
			also: [
				({ sql }) => {
					sql.answer(/^INSERT INTO t /, {});
					return { query: 'INSERT INTO t VALUES (1)', output: 'csv' };
				},
				({ sql }) => {
					sql.answer('SELECT 2 AS two', { rows: [{ two: 2 }] });
					const targetFolder = by('path', `exports/${Math.random()}`);
					const place = { storageId: by('id', 'stor-acme'), targetFolder };
					return { query: 'SELECT 2 AS two', output: 'storage', storedFormat: 'csv', ...place };
				},
			],
			// A session is requested once and then only read.
			shared: true,
		},
	),
	'table getRows': use(
		'createSqlSession',
		({ sql }) => {
			sql.answer(/^SELECT \* FROM `org_catalog`/, { rows: [{ id: 1n }] });
			return { ...hail, spatialFilter: 'box', boundingBox: '-180, -90, 180, 90' };
		},
		[{ boundingBox: '7, 95, 8, 96' }, "'Bounding Box' must be west, south, east and north: south"],
		{ shared: true },
	),
	'table create': use(
		'createSqlSession',
		({ sql }) => {
			sql.answer(/^CREATE TABLE/, {});
			const newColumn = [{ name: 'id', type: 'BIGINT', sqlType: '', required: false }];
			return { ...at('cat-org', 'noaa'), tableName: 'trees', newColumns: { newColumn } };
		},
		[{ tableName: '${a}' }, "'Table Name' must not contain ${"],
		{ shared: true },
	),
	'table deleteRows': use(
		'createSqlSession',
		({ sql, store: { catalogs } }) => {
			const table = catalogs.get('cat-org')?.namespaces.get('noaa')?.entries.get('hail');
			const deleted = { addedRows: 0, deletedRows: 2, operation: 'delete' };
			sql.answer(/^DELETE FROM/, {
				changes: () => void catalogs.commit(table as TableRecord, deleted),
			});
			return { ...hail, spatialFilter: 'box', boundingBox: '-180, -90, 180, 90' };
		},
		[{ boundingBox: '7, 95, 8, 96' }, "'Bounding Box' must be west, south, east and north: south"],
		{
			also: [
				({ sql }) => {
					sql.answer(/^SELECT count/, { rows: [{ rows: 3 }] });
					const condition = [{ column: 'id', operator: 'less', value: '2' }];
					return { ...hail, conditions: { condition }, onlyCount: true };
				},
			],
			shared: true,
		},
	),
	'table insertRows': use(
		'createSqlSession',
		({ sql }) => {
			// Whatever the catalog is called: the demo's own answer takes its time.
			sql.answer(/^INSERT INTO `/, {});
			const row = { mappingMode: 'defineBelow', value: { id: '7' } };
			return { ...hail, row, options: { srid: 4326 } };
		},
		[{ options: { srid: 0 } }, "'SRID' must be at least 1"],
		{
			shared: true,
			also: [
				({ sql }) => {
					sql.answer(/^INSERT INTO `/, {});
					// More than a statement holds.
					const points = '1 2, '.repeat(STATEMENT_LIMITS.maxRowBytes / 4);
					const value = { id: '7', geometry: `LINESTRING (${points}3 4)` };
					return { ...hail, row: { mappingMode: 'defineBelow', value } };
				},
			],
		},
	),
	'table upsertRows': use(
		'createSqlSession',
		({ sql }) => {
			sql.answer(/^MERGE INTO `/, {});
			// Each item is a row of its own.
			const value = { id: String(Math.floor(Math.random() * 1e9)), 'größe (mm)': '30' };
			const row = { mappingMode: 'defineBelow', value, matchingColumns: ['id'] };
			return { ...hail, row, options: { srid: 4326 } };
		},
		[{ options: { srid: 0 } }, "'SRID' must be at least 1"],
		{ shared: true },
	),
	'table loadFile': use(
		'createSqlSession',
		({ sql, store: { catalogs } }) => {
			sql.answer(/^(CREATE OR REPLACE TEMPORARY|DROP) VIEW/, {});
			sql.answer(/^DESCRIBE `/, { rows: [{ col_name: 'id', data_type: 'string' }] });
			// Whatever the catalog is called: the demo's own answer takes its time.
			const changes = () => {
				const table = catalogs.tableNamed('org_catalog.noaa.hail');
				if (table) catalogs.commit(table, { addedRows: 3 });
			};
			sql.answer(/^INSERT INTO `/, { changes });
			return { ...hail, storageId: by('id', 'stor-acme'), files: by('path', 'in/hail.csv') };
		},
		[{ files: by('path', 'in/{a}.csv') }, "'Files' must not contain {"],
		{ shared: true },
	),
	'sqlSession delete': use(
		'deleteSqlSession',
		(sandbox) => ({ sessionId: by('id', aSession(sandbox)) }),
		dots('sessionId', 'SQL Session'),
	),
	'sqlSession getAll': use(
		'listSqlSessions',
		(sandbox) => {
			// One session that stays the same, however often this is called.
			sandbox.sql.planSessions({ startMs: 0 });
			if (sandbox.sql.sessions.all().length === 0) aSession(sandbox);
			return { limit: 5 };
		},
		noLimit,
	),
};
