import type { ILoadOptionsFunctions } from 'n8n-workflow';

import { Client } from '../transport/client';
import { clock } from '../transport/clock';
import { PICKER_TIMEOUT_MS } from './choices';

/** A client that gives up while somebody is still watching the picker; its error is what they see. */
export async function pickerClient(context: ILoadOptionsFunctions): Promise<Client> {
	return await Client.create(context, clock.now() + PICKER_TIMEOUT_MS);
}
