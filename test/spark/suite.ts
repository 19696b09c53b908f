import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { runNode, type NodeResult } from '../engine/harness';
import { MISSING } from './install';
import { startService, type Service } from './programs';

/** Skipped where Spark cannot be installed. */
export const describeWithSpark = process.env[MISSING] ? describe.skip : describe;

const key = { apiKey: 'key', bearerToken: '' };
const credentials = { admin: key, user: key, community: key };

/** The service on a real Spark for all tests of a file. Call it within `describeWithSpark`. */
export function suiteWithService() {
	let service: Service;

	beforeAll(async () => {
		service = await startService();
	});

	afterAll(async () => await service?.stop());

	const outcomeOf = async (query: string, more: INodeParameters = {}): Promise<NodeResult> => {
		const node = { resource: 'sql', operation: 'executeQuery', query, ...more };
		return await runNode({ baseUrl: service.baseUrl, credentials }, node);
	};
	/** The rows of a statement that must not fail. */
	const run = async (query: string, more?: INodeParameters): Promise<IDataObject[]> => {
		const { json, error } = await outcomeOf(query, more);
		expect([query, error?.message, error?.description]).toEqual([query, undefined, undefined]);
		return json;
	};
	return { outcomeOf, run, bucket: () => service.bucket };
}
