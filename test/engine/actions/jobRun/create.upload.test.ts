import { by, inMemory } from '../../../support/files';
import { runNode, type NodeOptions } from '../../harness';
import { suiteWithSandbox } from '../../harness/suite';
import { pythonRun } from '../parameters';

const suite = suiteWithSandbox();
const script = 'print("hello")\n';
const files = [inMemory(script, 'hello.py')];
const destination = 's3://acme-jobs/jobs/hello.py';

const parameters = {
	...pythonRun,
	pythonUri: '',
	programFrom: 'input',
	storageId: by('id', 'stor-acme'),
	folder: by('path', 'jobs'),
};
const submit = async (more: object = {}, options: NodeOptions = {}) =>
	await runNode(suite.sandbox, { ...parameters, ...more }, { files, ...options });
const uploads = () => suite.sandbox.presigned.requests.filter(({ method }) => method === 'PUT');

it('uploads a Python file and runs it', async () => {
	const { sandbox } = suite;
	const { json, error } = await submit();
	expect(error).toBeUndefined();
	expect(json[0]).toMatchObject({ name: parameters.name, program: destination, reused: false });
	const [{ body }] = sandbox.requests.of('createRun');
	expect(body).toMatchObject({ runPython: { uri: destination } });
	const stored = sandbox.store.storages.get('stor-acme')?.files.get('jobs/hello.py');
	expect(stored?.content?.toString()).toBe(script);
	expect(sandbox.requests.all().at(-1)?.endpoint).toBe('createRun');
});

it('uploads a JAR file and runs its class', async () => {
	const jar = { runType: 'jar', mainClass: 'com.example.Main', fileName: 'main.jar' };
	const { error } = await submit(jar);
	expect(error).toBeUndefined();
	const [{ body }] = suite.sandbox.requests.of('createRun');
	expect(body).toMatchObject({
		runJar: { uri: 's3://acme-jobs/jobs/main.jar', mainClass: 'com.example.Main' },
	});
});

it('replaces an existing file unless something else is chosen', async () => {
	const { sandbox } = suite;
	sandbox.store.storages.put('stor-acme', 'jobs/hello.py', 'old');
	expect((await submit({ ifFileExists: 'fail' })).error?.message).toMatch(/^A file already exists/);
	expect(sandbox.requests.of('createRun')).toEqual([]);
	expect((await submit({ ifFileExists: 'keep' })).error).toBeUndefined();
	expect(uploads()).toEqual([]);
	expect((await submit()).error).toBeUndefined();
	expect(uploads()).toHaveLength(1);
});

it('uploads nothing for a run that already exists', async () => {
	const reuse = { ifNameExists: 'useActive' };
	await submit(reuse);
	const { json } = await submit(reuse);
	expect(json[0]).toMatchObject({ reused: true });
	expect(uploads()).toHaveLength(1);
});

it('submits nothing when the upload fails', async () => {
	const { sandbox } = suite;
	sandbox.presigned.addFault({ fault: { kind: 'refuse', status: 403, code: 'AccessDenied' } });
	const { error } = await submit();
	expect(error?.message).toBe('The storage rejected the file');
	expect(sandbox.requests.of('createRun')).toEqual([]);
});

it('names the file in the error of a run that was not submitted', async () => {
	const fault = { kind: 'status', status: 422 } as const;
	suite.sandbox.faults.add({ endpoint: 'createRun', fault });
	const { error } = await submit();
	expect(error?.description).toContain(`Its file had already been uploaded: ${destination}.`);
	expect(error?.context?.facts).toMatchObject({ uploaded: destination });
});

it('uploads once for all attempts of Retry on Fail', async () => {
	const fault = { kind: 'status', status: 422 } as const;
	suite.sandbox.faults.add({ endpoint: 'createRun', times: 1, fault });
	const { json, error } = await submit({}, { maxTries: 2 });
	expect(error).toBeUndefined();
	expect(json).toHaveLength(1);
	expect(uploads()).toHaveLength(1);
});

it('continues with the run when the response to its submission was lost', async () => {
	const { sandbox } = suite;
	const fault = { kind: 'reset', when: 'after' } as const;
	sandbox.faults.add({ endpoint: 'createRun', times: 1, fault });
	const { json } = await submit();
	expect(json[0]).toMatchObject({ recovered: true, program: destination });
	expect(sandbox.requests.of('createRun')).toHaveLength(1);
});

it('checks all items before the first is uploaded', async () => {
	const name = '={{ ["good-name-1", "bad"][$itemIndex] }}';
	const { error } = await submit({ name }, { files: [...files, ...files] });
	expect(error?.message).toMatch(/^'Name' must be 8 to 255/);
	expect(suite.sandbox.requests.count).toBe(0);
});
