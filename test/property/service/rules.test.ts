/**
 * The rules compared with a second reading of the interface: what it allows passes, and a value with one
 * character too many, too few or of another kind does not.
 */
import fc from 'fast-check';

import * as rules from '../../../nodes/Wherobots/service/rules';
import { forAll, USUALLY } from '../../support/forAll';

type Rule = (value: string) => string | undefined;

/** Refusals are the end of a sentence about the field. */
const isRefusal = (problem = '') => /^(must|may|contains) \S/.test(problem);

const matching = (...patterns: RegExp[]) =>
	fc.oneof(...patterns.map((pattern) => fc.stringMatching(pattern)));

/** A good value with one character that does not belong, at any place. */
const spoiled = (values: fc.Arbitrary<string>, characters: string) =>
	fc.tuple(values, fc.constantFrom(...characters), fc.nat()).map(([value, bad, at]) => {
		const place = at % (value.length + 1);
		return value.slice(0, place) + bad + value.slice(place);
	});

const BUCKET = /^arn:aws:s3tables:us-west-2:\d{12}:bucket\/[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/;

/** Patterns of good values, characters that none of them has, and patterns of values that are not good. */
it.each<[string, Rule, RegExp[], string, RegExp[]]>([
	[
		'a run name',
		rules.checkRunName,
		[/^[\w.-]{8,254}$/, /^(a{8}|a{255})$/],
		' /*é:\n',
		[/^a{0,7}$/, /^a{256}$/],
	],
	[
		'a filter by name',
		rules.checkRunNamePattern,
		[/^[\w.-]{0,120}\*?[\w.-]{0,120}$/, /^a{255}$/],
		' é\n/',
		[/^a{256}$/, /^a*\*a*\*a*$/],
	],
	[
		'a dependency',
		rules.checkDependencyFile,
		[/^\/opt\/.{0,20}\.(jar|whl|zip|json|JAR)$/],
		'',
		[/^\/opt\/a{0,9}(\.txt|\.jarx|-jar|\.jar )$/],
	],
	[
		'a bucket',
		rules.checkBucketName,
		[/^[a-z0-9.-]{3,62}$/, /^(a{3}|a{63})$/],
		'ABZ_/:& é*',
		[/^a{0,2}$/, /^a{64}$/],
	],
	[
		'a prefix',
		rules.checkPrefix,
		// C1 is not among the control characters.
		[/^[ -"$%'-~é]{0,300}$/, /^[\u0080\u009f\u00a0]+$/, /^p{1024}$/],
		'&#\u0000\u0009\u001f\u007f',
		[/^p{1025}$/],
	],
	[
		'an AWS region',
		rules.checkAwsRegion,
		[/^[a-z]{2}(-[a-z]{1,9}){1,3}-\d$/],
		'A_ \n',
		[/^[a-z]{2}(-[a-z]{1,9}){1,3}(-\d[a1])?$/],
	],
	[
		'an AWS account',
		rules.checkAwsAccountId,
		[/^\d{12}$/, /^\d{4}-\d{4}-\d{4}$/],
		'x ١\n',
		[/^\d{0,11}$/, /^\d{13}$/, /^\d{3}-\d{9}$/, /^\d{1,11}-$/],
	],
	[
		'a table bucket',
		rules.checkTableBucketArn,
		[BUCKET],
		' /A_\n',
		[
			/^arn:aws-(cn|us-gov):s3tables:us-west-2:\d{12}:bucket\/abc$/,
			/^arn:aws:(s3:us-west-2:\d{12}|s3tables:us-west-2:\d):bucket\/abc$/,
			/^arn:aws:s3tables:us-west-2:\d{12}:bucket\/(-abc|abc-|ab|a{64}|abc\/table\/x)$/,
		],
	],
	[
		'an S3 location',
		rules.checkS3Location,
		[/^s3:\/\/[a-z0-9.-]{3,63}(\/.{0,20})?$/],
		'',
		[/^(https:\/\/)?[a-z0-9.-]{3,63}$/, /^s3:\/\/\/.{0,9}$/],
	],
	[
		'the name of a task or its beginning',
		rules.checkTaskNamePattern,
		[/^[\w.-]{1,254}\*?$/, /^a{255}$/],
		'é /',
		[/^a{256}$/, /^a*\*a$/],
	],
	['a path value', rules.checkPathValue, [/^.{3,9}$/, /^[^.]{1,2}$/], '', [/^\.{0,2}$/]],
])('%s is what the interface says, and nothing else', async (_, rule, good, characters, bad) => {
	await forAll([matching(...good)], USUALLY, (value) => rule(value) === undefined);
	const others = characters ? [spoiled(matching(good[0]), characters)] : [];
	await forAll([fc.oneof(matching(...bad), ...others)], USUALLY, (value) => isRefusal(rule(value)));
});

it('the hyphens that AWS shows in an account are not sent', async () =>
	await forAll([matching(/^\d{4}-\d{4}-\d{4}$/)], USUALLY, (id) => {
		expect(rules.toPlainAccountId(id)).toBe(id.split('-').join(''));
	}));

it.each<[keyof typeof rules, string[], string[]]>([
	[
		'checkS3Path',
		['s3://bucket/jobs/etl.py', 's3://bucket/a folder/etl.PY'],
		[
			's3a://bucket/jobs/etl.py',
			's3://bucket',
			's3:///etl.py',
			'https://bucket/etl.py',
			'bucket/etl.py',
			's3://b/e.py\n',
			'',
		],
	],
	[
		'checkLibraryName',
		['rasterio', 'a', 'zope.interface', 'ruamel_yaml', 'apache-sedona', 'dask[array,complete]'],
		['', '-a', 'a-', 'a b', 'a==1', 'git+https://x', 'ä', 'a\n'],
	],
	[
		'checkLibraryVersion',
		['1.4.3', '==1.4.3', '>=1.4,<2', '~=2.0', '1.*', '!=1.5', '===1.0+local', '2!1.0', ' >= 1 '],
		['', '>=', 'latest version', '1.0,', '=1', '>=1;<2', '1.0\n2.0'],
	],
	['checkPathValue', ['a/b', '...', '%'], ['', '.', '..', 'a\ud800b', '\udc00']],
])('%s takes %j, and not %j', (name, good, bad) => {
	const rule = rules[name] as Rule;
	expect(good.filter((value) => rule(value) !== undefined)).toEqual([]);
	expect(bad.filter((value) => rule(value) === undefined)).toEqual([]);
});
