import type { INodeProperties } from 'n8n-workflow';

import { choose } from '../../parameters/fields';
import { item } from '../../parameters/items';
import * as rules from '../../service/rules';
import type { Operation } from '../operation';

const sessionField: INodeProperties = {
	displayName: 'Session',
	name: 'sessionId',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	required: true,
	description: 'The session to shut down',
	hint: 'Statements that it is executing, also those of others, come to an end. This cannot be undone.',
	...choose('searchSqlSessions', 'ID', {
		placeholder: 'e.g. 8c1f0e6a-3d52-4f0b-9a57-2f1f5f0c7b11',
	}),
};

export const deleteSession: Operation = {
	option: {
		name: 'Delete',
		value: 'delete',
		action: 'Delete SQL session',
		description: 'Shut down a session, so that it costs no more',
	},
	fields: [sessionField],
	kind: 'write',
	async execute({ client, input }) {
		const id = input.text(sessionField, rules.pathValue);
		await client.call('deleteSqlSession', { path: { session_id: id } });
		return [item({ deleted: true, id })];
	},
};
