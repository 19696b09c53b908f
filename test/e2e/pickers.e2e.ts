import { credentialData } from './n8n/workflows';
import { useStage } from './suite/stage';

const stage = useStage({ seed: 'demo' });

interface Choices {
	results: Array<{ name: string; value: string }>;
}

const byId = (value: string) => ({ __rl: true, mode: 'list', value });

/** Asks n8n for the entries of a picker, as its editor does. */
async function pick(
	methodName: string,
	parameters: Record<string, unknown>,
	typed: { filter?: string } = {},
): Promise<Choices> {
	const { n8n, sandbox } = stage();
	const { apiKey } = sandbox.credentials.admin;
	const credential = await n8n.createCredential(credentialData(apiKey, sandbox.baseUrl));
	return await n8n.rest('POST', '/rest/dynamic-node-parameters/resource-locator-results', {
		nodeTypeAndVersion: { name: 'n8n-nodes-wherobots.wherobots', version: 1 },
		path: 'parameters.any',
		methodName,
		currentNodeParameters: parameters,
		credentials: { wherobotsApi: credential },
		...typed,
	});
}

const names = ({ results }: Choices) => results.map(({ name }) => name);

test('tables are found in their namespace, and that in its catalog', async () => {
	const form = { resource: 'table', operation: 'get', catalogId: byId('cat-org') };
	expect(names(await pick('searchCatalogs', form))).toContain('org_catalog');
	expect(names(await pick('searchNamespaces', form))).toContain('noaa');
	const inside = { ...form, namespace: byId('noaa') };
	expect(names(await pick('searchTables', inside, { filter: 'HAI' }))).toEqual(['hail']);
});
