import { runRegionFilter } from '../../form/fields';
import { simplifySession, type SqlSession } from '../../service/sql/protocol';
import { defineDelete, defineGetMany } from '../operations/declared';
import type { Operation, Resource } from '../operations/operation';
import { requireSockets, runOnce } from './execution';
import * as form from './fields';
import { queryParametersField, readQuery } from './query';
import { prepareFiles, storedFields } from './storedFiles';

const executeQuery: Operation = {
	name: 'Execute Query',
	value: 'executeQuery',
	action: 'Execute SQL query for rows or map',
	description: 'Execute a Spark SQL statement and return its rows as items or as a file',
	hint:
		"Spark SQL with Sedona's ST_ functions. Keep Read Only on unless the statement is meant to change data. Pass values from items as Query Parameters (:name), never by an expression inside the statement. A session costs money until it has been idle for a while.",
	fields: [
		form.queryField,
		queryParametersField,
		form.readOnlyField,
		form.readOnlyToolField,
		form.queryOutputField,
		...storedFields,
		form.geometryField,
		form.sessionRuntimeField,
		form.sessionRegionField,
		form.optionsField,
	],
	requestFields: {
		runtimeId: form.sessionRuntimeField,
		shutdownAfterInactiveSeconds: form.unusedTimeoutOption,
	},
	kind: 'write',
	async execute(call) {
		const { context, input } = call;
		if (input.choice(form.queryOutputField) === 'storage') {
			const submit = prepareFiles(call);
			requireSockets();
			return { submit };
		}
		const query = readQuery(input, context.getTimezone());
		requireSockets();
		return { submit: async () => await runOnce(call, query) };
	},
};

const deleteSession = defineDelete({
	action: 'Delete SQL session',
	description: 'Shut down a session, so that it stops costing money',
	endpoint: 'deleteSqlSession',
	picker: {
		hint: 'Statements that it is executing, including those of others, are stopped. This cannot be undone.',
	},
});

const getAll = defineGetMany<SqlSession>({
	action: 'Get many SQL sessions',
	description: "List the SQL sessions of the credential's owner",
	endpoint: 'listSqlSessions',
	records: 'SQL sessions',
	filters: {
		region: { ...runRegionFilter, description: 'Only include sessions in this compute region' },
	},
	simplify: simplifySession,
});

export const sql: Resource = {
	name: 'SQL',
	value: 'sql',
	description: 'Spatial SQL over the catalogs of the organization',
	operations: [executeQuery],
	defaultOperation: 'executeQuery',
};

export const sqlSession: Resource = {
	name: 'SQL Session',
	value: 'sqlSession',
	description: 'Sessions that execute SQL and cost money until they shut down',
	operations: [deleteSession, getAll],
};
