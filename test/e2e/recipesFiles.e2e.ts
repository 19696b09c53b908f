import type { AddressInfo } from 'node:net';

import fastify from 'fastify';

import { executeWell, useStage } from './suite/workflowCases';

const SCRIPT = 'print("from Git")\n';

const stage = useStage({ seed: 'demo' });

describe('a script from Git', () => {
	const git = fastify({ forceCloseConnections: true });
	let address: string;

	beforeAll(async () => {
		git.get('/my-org/my-repo/main/jobs/summary.py', async () => SCRIPT);
		await git.listen({ host: '127.0.0.1', port: 0 });
		address = `http://127.0.0.1:${(git.server.address() as AddressInfo).port}`;
	});
	afterAll(async () => await git.close());

	/** Writes what a job writes to the address in its argument. */
	function writeResults(): void {
		const { requests, store } = stage().sandbox;
		const storage = store.storages.get('stor-managed')!;
		requests.listen(({ endpoint, body }) => {
			if (endpoint !== 'createRun') return;
			const { args } = (body as { runPython: { args: string[] } }).runPython;
			const output = /^--output=(.*)$/.exec(args[0])![1];
			const key = output.slice(`${storage.draft.path}/`.length);
			store.storages.put(storage.id, key, 'region,count\nwest,3\neast,4\n');
		});
	}

	test('is uploaded and run, and its result comes back', async () => {
		const { sandbox, importWorkflow } = stage();
		writeResults();
		const workflow = await importWorkflow('examples/script-from-git.json', {
			'Get script': { url: `${address}/my-org/my-repo/main/jobs/summary.py` },
			'Upload script': { storageId: { __rl: true, mode: 'list', value: 'stor-managed' } },
		});

		const execution = await executeWell(stage(), workflow);
		await executeWell(stage(), workflow);

		const storage = sandbox.store.storages.get('stor-managed')!;
		const script = `${storage.draft.defaultDirectory}/scripts/summary.py`;
		expect(storage.files.get(script)?.content?.toString()).toBe(SCRIPT);
		const submitted = sandbox.requests.of('createRun').map(({ body }) => body);
		expect(submitted).toHaveLength(2);
		for (const body of submitted) {
			const uri = `${storage.draft.path}/${script}`;
			expect(body).toMatchObject({ runPython: { uri } });
		}
		expect(execution.json('Read the rows')).toEqual([
			{ region: 'west', count: '3' },
			{ region: 'east', count: '4' },
		]);
	});

	test('is not run when there is no such script', async () => {
		const { n8n, sandbox, importWorkflow } = stage();
		const workflow = await importWorkflow('examples/script-from-git.json', {
			'Get script': { url: `${address}/my-org/my-repo/main/jobs/other.py` },
			'Upload script': { storageId: { __rl: true, mode: 'list', value: 'stor-managed' } },
		});

		expect(String(await n8n.run(workflow))).toMatch(/: error/);
		expect(sandbox.requests.of('createRun')).toEqual([]);
	});
});
