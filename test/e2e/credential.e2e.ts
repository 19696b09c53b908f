import { startSandbox } from '../sandbox';
import { credentialData } from './n8n/workflows';
import { useStage } from './suite/workflowCases';

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
		const gateway = await startSandbox({ basePath: '/gateway/v1' });
		try {
			expect(await tested(apiKey, `${gateway.baseUrl}/`)).toMatchObject({ status: 'OK' });
		} finally {
			await gateway.stop();
		}
	});

	test('a wrong key and a wrong address are told apart', async () => {
		const { sandbox } = stage();
		const { apiKey } = sandbox.credentials.admin;
		const wrongKey = await tested('not-a-key-of-anyone', sandbox.baseUrl);
		expect(wrongKey).toMatchObject({ status: 'Error' });
		expect(wrongKey.message).toContain('did not accept this key or token');

		const wrongPath = await tested(apiKey, `${sandbox.baseUrl}/not/the/service`);
		expect(wrongPath).toMatchObject({ status: 'Error' });
		expect(wrongPath.message).toContain('Wherobots Cloud was not found at this address');

		const nobody = await tested(apiKey, 'http://127.0.0.1:1');
		expect(nobody).toMatchObject({ status: 'Error' });
		expect(nobody.message).not.toContain('key or token');
	});

	test('a secret is not sent without encryption to another machine', async () => {
		const { status, message } = await tested('some-key', 'http://wherobots.invalid');
		expect(status).toBe('Error');
		expect(message).toContain('https://');
	});
});

describe('The Wherobots API credential in other nodes', () => {
	const stage = useStage();

	test("n8n's HTTP Request node calls the service with it", async () => {
		const { n8n, sandbox, importWorkflow } = stage();
		sandbox.store.runs.create({ name: 'seen-by-http-request' });
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
