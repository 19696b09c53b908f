import { by } from '../../../support/files';
import { suiteWithSandbox, textOf } from '../../harness/suite';
import { operationsOf } from '../parameters';

const suite = suiteWithSandbox();

const stack = operationsOf('cloudConnection', { connectionId: by('id', 'conn-production') });

const arn = 'arn:aws:s3tables:us-west-2:123456789012:bucket/my-tables';

const s3Tables = { tableBucketArn: arn, access: 'read-only' };
const glue = { awsRegion: 'eu-west-1', access: 'read-only' };
const inGlue = { name: 'lake', region: 'eu-west-1', access: 'read-only' };
const glueOptions = { awsAccountId: '123456789012', bucket: 'lake', prefix: 'w/' };
const storage = { bucket: 'acme-bucket', prefix: 'a b/ü', access: 'read-write' };

/** What is filled in for each stack, and the query that asks for it. */
const uses = [
	['connection', {}, {}],
	['storage', storage, storage],
	['glue', { bindingName: 'lake', ...glue }, inGlue],
	['glue', { bindingName: 'lake', ...glue, glueOptions }, { ...inGlue, ...glueOptions }],
	['s3tables', s3Tables, s3Tables],
] as const;

it.each(uses)('gets the create link of stack %s', async (name, parameters, query) => {
	const { json } = await suite.succeeds(stack('getCreateLink', { stack: name, ...parameters }));
	const url = expect.stringMatching(/^https:/);
	expect(json).toMatchObject([{ connectionId: 'conn-production', stack: name, url }]);
	expect(suite.requests.all()[0].query).toEqual(query);
});

it.each(uses)('downloads the template of stack %s', async (name, parameters, query) => {
	const { items } = await suite.succeeds(stack('downloadTemplate', { stack: name, ...parameters }));
	const fileName = `conn-production-${name}.yaml`;
	expect(items[0].json).toMatchObject({ stack: name, fileName, mimeType: 'application/yaml' });
	expect(items[0].binary?.data).toMatchObject({ fileName, mimeType: 'application/yaml' });
	const text = textOf(items[0]);
	expect(text).toContain('AWSTemplateFormatVersion');
	expect(Buffer.byteLength(text)).toBe(items[0].json.fileSize);
	expect(suite.requests.all()[0].query).toEqual(query);
});

describe('file name and type', () => {
	const download = (parameters: object = {}) =>
		suite.run(stack('downloadTemplate', { stack: 'connection', ...parameters }));
	const respondWith = (body: string) =>
		suite.fails('getConnectionTemplate', { kind: 'replace', body });

	it('takes the type from the content, whatever the header says', async () => {
		suite.variants.templateHeaders = { 'content-type': 'text/html' };
		expect((await download()).json[0].mimeType).toBe('application/yaml');
		respondWith('{"AWSTemplateFormatVersion": "2010-09-09"}');
		expect((await download()).json[0]).toMatchObject({
			fileName: 'conn-production-connection.json',
			mimeType: 'application/json',
		});
	});

	it.each([
		['a web page', '<!DOCTYPE html><html>Sign in</html>', 'returned an unexpected response'],
		['an endless file', 'x'.repeat(5 * 1024 * 1024 + 1), 'The file is larger than expected'],
	])('does not take %s for a template', async (_, body, message) => {
		respondWith(body);
		expect((await download()).error?.message).toContain(message);
	});

	it('accepts a name and a field of the user', async () => {
		const options = { fileName: 'mine.yaml', binaryPropertyName: 'template' };
		expect((await download({ options })).items[0].binary?.template.fileName).toBe('mine.yaml');
	});
});
