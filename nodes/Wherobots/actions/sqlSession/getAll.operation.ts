import type { INodeProperties } from 'n8n-workflow';

import { filtersOf, readLimit, returnAllFields } from '../../parameters/fields';
import { shape, shapeFields } from '../../parameters/shape';
import { simplifySession, type SqlSession } from '../../service/sql/sessions';
import { readList } from '../../transport/records';
import { hintNoResults } from '../hint';
import type { Operation } from '../operation';

const regionFilter: INodeProperties = {
	displayName: 'Region',
	name: 'region',
	type: 'string',
	default: '',
	placeholder: 'e.g. aws-us-west-2',
	description: 'Only include sessions in this compute region',
};

const filtersField = filtersOf(regionFilter);

export const getAll: Operation = {
	option: {
		name: 'Get Many',
		value: 'getAll',
		action: 'Get many SQL sessions',
		description: "List the SQL sessions of the credential's owner",
	},
	fields: [...returnAllFields, ...shapeFields, filtersField],
	requestFields: { region: regionFilter },
	kind: 'read',
	async execute(call) {
		const { client, input } = call;
		const limit = readLimit(input);
		const region = input.within(filtersField).optionalText(regionFilter);
		const sessions = await readList<SqlSession>(client, 'listSqlSessions', { query: { region } });
		if (sessions.length === 0) hintNoResults(call, 'SQL sessions', [[regionFilter, region]]);
		return shape(input, sessions.slice(0, limit), simplifySession);
	},
};
