/**
 * The rules compared with a second reading of the interface: what it allows passes, and a value with one
 * character too many, too few or of another kind does not.
 */
import fc from 'fast-check';

import * as rules from '../../../nodes/Wherobots/service/rules';

type Rule = (value: string) => string | undefined;

const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const DIGITS = '0123456789';
const RUN_NAME = `${LOWER}${LOWER.toUpperCase()}${DIGITS}_-.`;

/** Texts of these characters. */
const of = (characters: string, minLength: number, maxLength = minLength) =>
	fc.string({ unit: fc.constantFrom(...characters), minLength, maxLength });

const accepted = (rule: Rule, values: fc.Arbitrary<string>) =>
	fc.assert(fc.property(values, (value) => rule(value) === undefined));

/** Refusals are the end of a sentence about the field. */
const refused = (rule: Rule, values: fc.Arbitrary<string>) =>
	fc.assert(fc.property(values, (value) => /^(must|may|contains) \S/.test(rule(value) ?? '')));

/** Texts of these characters have a least and a greatest length. */
const limited = (rule: Rule, characters: string, least: number, most: number) => {
	for (const length of [least, most]) accepted(rule, of(characters, length));
	for (const length of [least - 1, most + 1])
		if (length >= 0) refused(rule, of(characters, length));
};

/** Good values, each changed in one of these ways. */
const refusedWhen = (
	rule: Rule,
	good: fc.Arbitrary<string>,
	...changes: Array<(value: string) => string>
) => {
	for (const change of changes) refused(rule, good.map(change));
};

/** A good value with one character that does not belong, at any place. */
const spoiled = (values: fc.Arbitrary<string>, characters: string) =>
	fc.tuple(values, fc.constantFrom(...characters), fc.nat()).map(([value, bad, at]) => {
		const place = at % (value.length + 1);
		return value.slice(0, place) + bad + value.slice(place);
	});

it('a run name has 8 to 255 letters, digits, underscores, hyphens and periods', () => {
	accepted(rules.runName, of(RUN_NAME, 8, 255));
	refused(rules.runName, spoiled(of(RUN_NAME, 8, 254), ' /*é:\n'));
	limited(rules.runName, RUN_NAME, 8, 255);
});

it('a filter by name may have one asterisk, and any length up to 255', () => {
	const one = spoiled(of(RUN_NAME, 0, 254), '*');
	accepted(rules.runNamePattern, one);
	accepted(rules.runNamePattern, of(RUN_NAME, 0, 255));
	refused(rules.runNamePattern, spoiled(one, '* é\n/'));
	limited(rules.runNamePattern, RUN_NAME, 0, 255);
});

it('a dependency ends with .jar, .whl, .zip or .json', () => {
	const path = fc.string({ unit: 'grapheme-ascii', maxLength: 20 }).map((text) => `/opt/${text}`);
	const ending = (...ends: string[]) =>
		fc.tuple(path, fc.constantFrom(...ends)).map(([text, end]) => text + end);
	accepted(rules.dependencyFile, ending('.jar', '.whl', '.zip', '.json', '.JAR'));
	refused(rules.dependencyFile, ending('.txt', '.jarx', '-jar', ' '));
});

it.each<[keyof typeof rules, string[], string[]]>([
	[
		's3Path',
		['s3://bucket/jobs/etl.py', 's3a://bucket/jobs/etl.py', 's3://bucket/a folder/etl.PY'],
		['s3://bucket', 's3:///etl.py', 'https://bucket/etl.py', 'bucket/etl.py', 's3://b/e.py\n', ''],
	],
	[
		'libraryName',
		['rasterio', 'a', 'zope.interface', 'ruamel_yaml', 'apache-sedona', 'dask[array,complete]'],
		['', '-a', 'a-', 'a b', 'a==1', 'git+https://x', 'ä', 'a\n'],
	],
	[
		'libraryVersion',
		['1.4.3', '==1.4.3', '>=1.4,<2', '~=2.0', '1.*', '!=1.5', '===1.0+local', '2!1.0', ' >= 1 '],
		['', '>=', 'latest version', '1.0,', '=1', '>=1;<2', '1.0\n2.0'],
	],
	['pathValue', ['a/b', '...', '%'], ['', '.', '..', 'a\ud800b', '\udc00']],
])('%s takes %j, and not %j', (name, good, bad) => {
	const rule = rules[name] as Rule;
	expect(good.filter((value) => rule(value) !== undefined)).toEqual([]);
	expect(bad.filter((value) => rule(value) === undefined)).toEqual([]);
});

it('a bucket name has 3 to 63 small letters, digits, periods and hyphens', () => {
	const good = of(`${LOWER}${DIGITS}.-`, 3, 63);
	accepted(rules.bucketName, good);
	refused(rules.bucketName, spoiled(good, 'ABZ_/:& é*'));
	limited(rules.bucketName, LOWER, 3, 63);
});

it('a prefix is any text of up to 1024 characters without &, # and control characters, C1 not among them', () => {
	const text = fc.string({ unit: 'grapheme', maxLength: 300 });
	const good = text.map((each) => each.replace(/[&#\p{Cc}]/gu, ''));
	accepted(rules.prefix, good);
	accepted(rules.prefix, of('\u0080\u009f\u00a0', 1, 20));
	refused(rules.prefix, spoiled(good, '&#\u0000\u0009\u001f\u007f'));
	limited(rules.prefix, 'p', 0, 1024);
});

it('an AWS region is that and nothing around it', () => {
	const parts = fc.array(of(LOWER, 1, 9), { minLength: 1, maxLength: 3 });
	const good = fc
		.tuple(of(LOWER, 2), parts, of(DIGITS, 1))
		.map(([country, names, digit]) => [country, ...names, digit].join('-'));
	accepted(rules.awsRegion, good);
	refusedWhen(
		rules.awsRegion,
		good,
		...['a', '1', '\n'].map((end) => (region: string) => region + end),
		(region) => region.toUpperCase(),
		(region) => region.replace(/-\d$/, ''),
	);
});

it('an AWS account is twelve digits, also with the hyphens that AWS shows', () => {
	limited(rules.awsAccountId, DIGITS, 12, 12);
	refused(rules.awsAccountId, of(DIGITS, 0, 10));
	refused(rules.awsAccountId, spoiled(of(DIGITS, 11), 'x- ١\n'));
	const shown = of(DIGITS, 12).map((id) => id.replace(/^(.{4})(.{4})/, '$1-$2-'));
	accepted(rules.awsAccountId, shown);
	fc.assert(
		fc.property(shown, (id) => expect(rules.plainAccountId(id)).toBe(id.split('-').join(''))),
	);
	refusedWhen(rules.awsAccountId, of(DIGITS, 12), (id) => `${id.slice(0, 3)}-${id.slice(3)}`);
});

it('a table bucket is one of S3 Tables, in the partition aws', () => {
	const end = of(LOWER + DIGITS, 1);
	const name = fc.tuple(end, of(`${LOWER}${DIGITS}-`, 1, 61), end).map((parts) => parts.join(''));
	const arn = (bucket: fc.Arbitrary<string>) =>
		fc
			.tuple(of(DIGITS, 12), bucket)
			.map(([account, id]) => `arn:aws:s3tables:us-west-2:${account}:bucket/${id}`);
	accepted(rules.tableBucketArn, arn(name));
	refusedWhen(
		rules.tableBucketArn,
		arn(name),
		...['aws-cn', 'aws-us-gov'].map((other) => (text: string) => text.replace('aws', other)),
		(text) => text.replace('s3tables', 's3'),
		(text) => text.replace(/\d{12}/, '1'),
		(text) => `${text}/table/x`,
	);
	for (const bad of [
		name.map((text) => `-${text}`),
		name.map((text) => `${text.slice(0, 62)}-`),
		...[of(LOWER, 64), of(LOWER, 2)],
	]) {
		refused(rules.tableBucketArn, arn(bad));
	}
});

it('an S3 location is a bucket, and any folder in it', () => {
	const bucket = of(`${LOWER}${DIGITS}.-`, 3, 63);
	accepted(
		rules.s3Location,
		fc.tuple(bucket, fc.string()).map(([b, path]) => `s3://${b}/${path}`),
	);
	accepted(
		rules.s3Location,
		bucket.map((name) => `s3://${name}`),
	);
	refused(rules.s3Location, bucket);
	refusedWhen(rules.s3Location, bucket, (name) => `https://${name}`);
	refusedWhen(rules.s3Location, fc.string(), (path) => `s3:///${path}`);
});

it('a path value is any text but those that a URL takes for its own', () => {
	const text = fc.string({ unit: 'grapheme', minLength: 1 });
	accepted(
		rules.pathValue,
		text.filter((value) => !/^\.{1,2}$/.test(value)),
	);
});
