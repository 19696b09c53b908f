import { textField } from '../../parameters/declarations';
import { simplifySession, type SqlSession } from '../../service/sql/sessions';
import { deleteOperation, getManyOperation } from '../operations/declared';
import type { Resource } from '../operations/operation';
import { executeQuery } from './executeQuery.operation';

const deleteSession = deleteOperation({
	option: {
		action: 'Delete SQL session',
		description: 'Shut down a session, so that it stops costing money',
	},
	endpoint: 'deleteSqlSession',
	hint: 'Statements that it is executing, including those of others, are stopped. This cannot be undone.',
});

const regionFilter = textField({
	displayName: 'Region',
	name: 'region',
	placeholder: 'e.g. aws-us-west-2',
	description: 'Only include sessions in this compute region',
});

const getAll = getManyOperation<SqlSession>({
	option: {
		action: 'Get many SQL sessions',
		description: "List the SQL sessions of the credential's owner",
	},
	endpoint: 'listSqlSessions',
	records: 'SQL sessions',
	filters: { region: regionFilter },
	simplify: simplifySession,
});

export const sql: Resource = {
	option: {
		name: 'SQL',
		value: 'sql',
		description: 'Spatial SQL over the catalogs of the organization',
	},
	operations: [executeQuery],
	defaultOperation: 'executeQuery',
};

export const sqlSession: Resource = {
	option: {
		name: 'SQL Session',
		value: 'sqlSession',
		description: 'Sessions that execute SQL and cost money until they shut down',
	},
	operations: [deleteSession, getAll],
	defaultOperation: 'getAll',
};
