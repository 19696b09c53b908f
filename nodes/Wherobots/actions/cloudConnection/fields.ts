import type { IDataObject, INodeExecutionData, INodeProperties } from 'n8n-workflow';

import type { PathValues } from '../../service/endpoints';
import { simplifyConnection } from '../../service/cloudConnections';
import * as rules from '../../service/rules';
import { choose } from '../../parameters/fields';
import type { Input } from '../../parameters/input';
import { shape } from '../../parameters/shape';

/** Picks a cloud connection from a list or takes its ID. */
export const connectionField: INodeProperties = {
	displayName: 'Cloud Connection',
	name: 'connectionId',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	required: true,
	description: 'The cloud connection to use',
	...choose('searchCloudConnections', 'ID', { placeholder: 'e.g. 4d0a8c77e1' }),
};

export function readConnectionPath(input: Input): { connectionId: string; path: PathValues } {
	const connectionId = input.text(connectionField, rules.pathValue);
	return { connectionId, path: { connection_id: connectionId } };
}

/** The output items of connections. */
export function connectionItems(input: Input, connections: IDataObject[]): INodeExecutionData[] {
	return shape(input, connections, simplifyConnection);
}
