import type { IDataObject } from 'n8n-workflow';

import type { EndpointId } from '../../service/endpoints';
import type { Client } from '../client';
import { inTurn } from './inTurn';
import { createOnce, type Search } from './lostResponse';
import { readRecord } from '../records';

interface Creation extends Pick<Search<IDataObject>, 'kind' | 'canAdopt' | 'createdAt'> {
	body: IDataObject & { name: string };
	/** What to look for when it is uncertain whether the request was carried out. */
	lookFor: string;
	/** All records of this kind. */
	list(client: Client): Promise<IDataObject[]>;
	/** Whether a record of this name agrees with the rest of the request. */
	agrees(record: IDataObject): boolean;
}

/**
 * Creates a record whose kind is listed in one response, and looks for it there when the response
 * is lost.
 *
 * @throws NodeApiError, CancelledError as `createOnce` does
 */
export async function createRecord(
	client: Client,
	id: EndpointId,
	{ body, lookFor, kind, canAdopt, createdAt, list, agrees }: Creation,
): Promise<{ record: IDataObject; recovered: boolean }> {
	const send = async (onSend: () => void) =>
		await readRecord<IDataObject>(client, id, { body, lookFor, onSend });
	return await inTurn(client, `${kind} ${body.name}`, async () => {
		return await createOnce(client, send, {
			kind,
			canAdopt,
			createdAt,
			list,
			compare: async (_client, record) =>
				record.name === body.name && agrees(record) ? { record, isWhole: true } : undefined,
			facts: (record) => ({
				id: String(record.id),
				name: body.name,
				createTime: createdAt(record) as string | undefined,
			}),
		});
	});
}
