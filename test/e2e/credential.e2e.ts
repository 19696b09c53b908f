import { credentialData } from './n8n/workflows';
import { useStage } from './suite/stage';

describe('The test of the Wherobots API credential', () => {
	const stage = useStage();
	const tested = async (apiKey: string, baseUrl: string) =>
		await stage().n8n.testCredential(credentialData(apiKey, baseUrl));

	test('a good key is accepted, with any spelling of the address', async () => {
		const { sandbox } = stage();
		const { apiKey } = sandbox.credentials.admin;
		for (const address of [sandbox.baseUrl, `${sandbox.baseUrl}/`]) {
			expect(await tested(apiKey, address)).toMatchObject({ status: 'OK' });
		}
	});
});

describe('The Wherobots API credential in other nodes', () => {
	const stage = useStage();

	test("n8n's HTTP Request node calls the service with it", async () => {
		const { n8n, sandbox, importWorkflow } = stage();
		sandbox.store.createRun({ name: 'seen-by-http-request' });
		const workflow = await importWorkflow('test/e2e/workflows/http-request.json', {
			'HTTP Request': { url: `${sandbox.baseUrl}/runs` },
		});
		const execution = await n8n.run(workflow);
		expect(String(execution)).toMatch(/: success$/);
		expect(execution.json('HTTP Request')).toMatchObject([
			{ items: [{ name: 'seen-by-http-request' }] },
		]);
		const [{ headers }] = sandbox.requests.of('listRuns');
		expect(headers['x-api-key']).toBe(sandbox.credentials.admin.apiKey);
	});
});
