/** The exact results of functions whose rules are properties elsewhere. */
import { isLoopbackHost } from '../../../nodes/Wherobots/service/baseUrl';
import { dispositionFileName, safeFileName } from '../../../nodes/Wherobots/service/fileNames';
import { neutralizeFormula } from '../../../nodes/Wherobots/service/formulas';
import * as rules from '../../../nodes/Wherobots/service/rules';
import { readSecret, secretHeader, secretsOf } from '../../../nodes/Wherobots/service/secret';
import { errorText, templateKind } from '../../../nodes/Wherobots/service/templates';

describe('secrets', () => {
	it.each([
		[{ apiKey: ' k-1\n' }, { ok: true, kind: 'apiKey', value: 'k-1' }],
		[
			{ authentication: 'other', apiKey: '!~' },
			{ ok: true, kind: 'apiKey', value: '!~' },
		],
		[{ apiKey: 'Bearer x' }, { ok: false, problem: expect.stringContaining('contains a space') }],
		[
			{ authentication: 'bearerToken', apiKey: 'k', bearerToken: ' bearer  t.1 ' },
			{ ok: true, kind: 'bearerToken', value: 't.1' },
		],
		[
			{ authentication: 'bearerToken', bearerToken: 'Bearers' },
			{ ok: true, kind: 'bearerToken', value: 'Bearers' },
		],
		[
			{ authentication: 'bearerToken', bearerToken: 'x Bearer' },
			{ ok: false, problem: expect.stringMatching(/^'Bearer Token' .* contains a space/) },
		],
		[{ apiKey: 7 }, { ok: false, problem: expect.stringMatching(/^'API Key' is empty in the/) }],
		[{ apiKey: 'a\u007f' }, { ok: false, problem: expect.stringContaining('Copy it again.') }],
	])('of %j are read as %j', (fields, secret) => {
		expect(readSecret(fields)).toEqual(secret);
	});

	it('have a header each', () => {
		expect(secretHeader({ ok: true, kind: 'apiKey', value: 'k' })).toEqual({ 'X-API-Key': 'k' });
		const token = { ok: true, kind: 'bearerToken', value: 't' } as const;
		expect(secretHeader(token)).toEqual({ Authorization: 'Bearer t' });
	});

	it('are all known, also the one that is not in use', () => {
		expect(secretsOf({ apiKey: ' k ', bearerToken: 'Bearer t' })).toEqual(['k', 't']);
		expect(secretsOf({ apiKey: '', bearerToken: 'Bearer ' })).toEqual([]);
	});
});

describe('rules', () => {
	it.each([
		[rules.runName('a'), 'must be 8 to 255 characters long, not 1'],
		[rules.runName('a'.repeat(256)), 'must be 8 to 255 characters long, not 256'],
		[rules.runName('with spaces'), 'may contain only letters, digits, underscores, hyphens and'],
		[rules.runNamePattern('a'.repeat(256)), 'must be at most 255 characters long, not 256'],
		[rules.runNamePattern('a b'), 'may contain only letters, digits, underscores, hyphens, per'],
		[rules.runNamePattern('a*b*'), 'may contain only one asterisk'],
		[rules.s3Path('x'), 'must be an S3 path such as s3://bucket/folder/file'],
		[rules.s3Location('x'), 'must be an S3 location such as s3://bucket/folder'],
		[rules.dependencyFile('a.txt'), 'must end with .jar, .whl, .zip, .json'],
		[rules.libraryName('-'), 'must be the name of a Python package'],
		[rules.libraryVersion('='), 'must be a version such as 2.1.0 or a specifier such as >=2,<3'],
		[rules.atLeast(2)(1), 'must be at least 2, not 1'],
		[rules.atMost(2)(3), 'must be at most 2, not 3'],
		[rules.maxLength(2)('abc'), 'must be at most 2 characters long, not 3'],
		[rules.bucketName('arn:aws:s3:::x'), 'must be a bucket name, not an ARN or URL: only lower'],
		[rules.bucketName('ab'), 'must be 3 to 63 characters long, not 2'],
		[rules.prefix('a'.repeat(1025)), 'must be at most 1024 characters long, not 1025'],
		[rules.prefix('a&b'), 'must not contain &, # or control characters'],
		[rules.awsRegion('x'), 'must be an AWS region such as us-west-2'],
		[rules.awsAccountId('1'), 'must be an AWS account ID of 12 digits'],
		[rules.tableBucketArn('x'), 'must be the ARN of a table bucket, such as arn:aws:s3tables:us-w'],
	])('say what is wrong: %s', (problem, words) => {
		expect(problem?.startsWith(words)).toBe(true);
	});

	it.each([
		rules.atLeast(2)(2),
		rules.atMost(2)(2),
		rules.maxLength(2)('ab'),
		rules.s3Path('s3://bucket/a'),
		rules.s3Path('s3a://b/a b'),
		rules.s3Location('s3a://bucket'),
		rules.libraryName('a[b,c-d.e_f 1]'),
		rules.libraryName('ab'),
		rules.libraryVersion('>=1, <=2,!=1.5,~=1.0,===1'),
		rules.awsRegion('us-gov-west-1'),
	])('have nothing to say at their borders', (problem) => {
		expect(problem).toBeUndefined();
	});

	it.each([
		rules.s3Path(' s3://bucket/a'),
		rules.s3Path('s3b://bucket/a'),
		rules.s3Path('s3://bucket/ a'),
		rules.s3Path('s3://bu cket/a'),
		rules.s3Location(' s3://bucket'),
		rules.s3Location('s3://bucket '),
		rules.libraryName(' a'),
		rules.libraryName('a[]'),
		rules.libraryName('a[b]c'),
		rules.libraryName('a[b'),
		rules.libraryVersion('1,,2'),
		rules.libraryVersion('>>1'),
		rules.libraryVersion('1 2'),
		rules.libraryVersion('a>=1'),
		rules.awsRegion('xus-west-2'),
		rules.awsRegion('us-2'),
		rules.awsAccountId('1234-5678-9012-3456'),
		rules.awsAccountId('x1234-5678-9012'),
		rules.tableBucketArn('xarn:aws:s3tables:us-west-2:123456789012:bucket/my-tables'),
	])('refuse what stands beside a good value', (problem) => {
		expect(problem).toBeDefined();
	});
});

describe('host names', () => {
	it.each(['localhost', 'LOCALHOST', 'a.localhost', '[::1]', '::1', '127.0.0.1', '127.255.1.99'])(
		'that mean this machine: %s',
		(host) => {
			expect(isLoopbackHost(host)).toBe(true);
		},
	);

	it.each([
		'',
		'notlocalhost',
		'127.0.0.1.example',
		'a127.0.0.1',
		'127.0.0',
		'127.0.0.1234',
		'::2',
	])('that do not: %s', (host) => {
		expect(isLoopbackHost(host)).toBe(false);
	});
});

describe('file names', () => {
	it.each([
		['a/b\\c.yaml', 'c.yaml'],
		['..hidden.', 'hidden'],
		['-- a b --', 'a b'],
		['a<>:b', 'a-b'],
		['e\u0301', '\u00e9'],
		['x'.repeat(151), 'x'.repeat(150)],
		[`${'x'.repeat(149)} y`, 'x'.repeat(149)],
	])('of %j: %j', (text, name) => {
		expect(safeFileName(text)).toBe(name);
	});

	it.each([
		['attachment; filename=a.yaml; size=3', 'a.yaml'],
		['attachment; FILENAME = "a b.yaml"', 'a b.yaml'],
		["attachment; filename* = utf-8'en'a%20b.yaml", 'a b.yaml'],
		['attachment; filename="..."', undefined],
		['', undefined],
	])('of the header %j: %j', (header, name) => {
		expect(dispositionFileName(header)).toBe(name);
	});
});

it.each(['=1', '+1', '-1', '@a', '\ta', '\ra', '\na', '＝1', '＋1', '－1', '＠a'])(
	'the formula %j gets an apostrophe',
	(value) => {
		expect(neutralizeFormula(value)).toBe(`'${value}`);
	},
);

it.each(['', 'a=1', ' =1', '1-1', 'a\n=1'])('the value %j stays as it is', (value) => {
	expect(neutralizeFormula(value)).toBe(value);
});

it.each([
	['{"a":1}', '.json', 'application/json'],
	['a: 1', '.yaml', 'application/yaml'],
	['7', '.yaml', 'application/yaml'],
	['text <html>', '.yaml', 'application/yaml'],
	['\0', '.bin', 'application/octet-stream'],
])('the template %j is %s', (text, extension, mimeType) => {
	expect(templateKind(Buffer.from(text))).toEqual({ extension, mimeType });
});

it.each([' <!DOCTYPE  html>', '<HTML>'])('the web page %j is no template', (text) => {
	expect(templateKind(Buffer.from(text))).toBeUndefined();
});

it('bytes that are no text are a template of their own kind', () => {
	expect(templateKind(Buffer.from([0x61, 0xff]))?.extension).toBe('.bin');
});

it("a file may be the service's error body, and nothing else is", () => {
	const body = '{"requestId":"q","errors":[{"message":"a"}]}';
	expect(errorText(Buffer.from(body))).toBe(body);
	expect(errorText(Buffer.from('{"requestId":"q"}'))).toBeUndefined();
	expect(errorText(Buffer.from('a: 1'))).toBeUndefined();
	expect(errorText(Buffer.from([0xff]))).toBeUndefined();
});
