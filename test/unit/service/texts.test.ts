/** The exact results of functions whose rules are properties elsewhere. */
import * as rules from '../../../nodes/Wherobots/service/rules';
import { checkTableName } from '../../../nodes/Wherobots/service/tables/names';
import { parseSecret, listSecrets } from '../../../nodes/Wherobots/transport/credential';

describe('secrets', () => {
	const token = (bearerToken: string) => ({
		authentication: 'bearerToken',
		apiKey: 'k',
		bearerToken,
	});
	const read = (kind: string, value: string) => ({ ok: true, kind, value });
	const refused = (problem: RegExp) => ({ ok: false, problem: expect.stringMatching(problem) });

	it.each([
		[{ apiKey: ' k-1\n' }, read('apiKey', 'k-1')],
		[{ authentication: 'other', apiKey: '!~' }, read('apiKey', '!~')],
		[{ apiKey: 'Bearer x' }, refused(/contains a space/)],
		[token(' bearer  t.1 '), read('bearerToken', 't.1')],
		[token('Bearers'), read('bearerToken', 'Bearers')],
		[token('xBearer'), read('bearerToken', 'xBearer')],
		[token('x Bearer'), refused(/^'Bearer Token' .* contains a space/)],
		[{ apiKey: 7 }, refused(/^'API Key' is empty in the/)],
		[{ apiKey: 'a\u007f' }, refused(/Copy it again\./)],
	])('of %j are read as %j', (fields, secret) => {
		expect(parseSecret(fields)).toEqual(secret);
	});

	it('are all known, also the one that is not in use', () => {
		expect(listSecrets({ apiKey: ' k ', bearerToken: 'Bearer t' })).toEqual(['k', 't']);
		expect(listSecrets({ apiKey: '', bearerToken: 'Bearer ' })).toEqual([]);
	});
});

describe('rules', () => {
	type Value = string | number;
	type Rule = (value: Value) => string | undefined;
	const ONLY = 'contain only letters, digits, underscores, hyphens';
	const NAME = `must be 8 to 255 characters long and ${ONLY} and periods, but has`;
	const PATTERN = `must be at most 255 characters long and ${ONLY}, periods and one asterisk`;
	const BUCKET =
		'must be 3 to 63 characters long and contain only lowercase letters, digits, periods and hyphens, without s3:// or a folder, but has';
	const PREFIX =
		'must be at most 1024 characters long and not contain &, # or control characters, but has';
	const S3_PATH = 'must be an S3 path such as s3://bucket/folder/file';
	const IN_STORAGE = 'must be a path in the storage such as jobs/2026, not';
	const VERSION = 'must be a version such as 2.1.0 or a specifier such as >=2,<3';

	it.each<[Value, unknown, string]>([
		['a', rules.checkRunName, `${NAME} a length of 1`],
		['with spaces', rules.checkRunName, `${NAME} spaces`],
		['wärme-karte', rules.checkRunName, `${NAME} "ä"`],
		['a b', rules.checkRunName, `${NAME} a length of 3 and spaces`],
		['a'.repeat(256), rules.checkRunNamePattern, `${PATTERN}, but has a length of 256`],
		['a b', rules.checkRunNamePattern, `${PATTERN}, but has spaces`],
		['a*b*', rules.checkRunNamePattern, PATTERN],
		['a*b', rules.checkTaskNamePattern, `${PATTERN} at the end`],
		['x', rules.checkS3Path, S3_PATH],
		['x', rules.checkS3Location, 'must be an S3 location such as s3://bucket/folder'],
		['a.txt', rules.checkDependencyFile, 'must end with .jar, .whl, .zip or .json: put Python'],
		['s3://b/a.whl, s3://b/c.whl', rules.checkDependencyFile, 'must be one file: add an entry'],
		['-', rules.checkLibraryName, 'must be the name of a Python package'],
		['=', rules.checkLibraryVersion, VERSION],
		[1, rules.requireBetween(2, Infinity), 'must be at least 2, not 1'],
		[3, rules.requireBetween(0, 2), 'must be from 0 to 2, not 3'],
		['abc', rules.limitLength(2), 'must be at most 2 characters long, not 3'],
		['wärme', rules.checkBucketName, `${BUCKET} "ä"`],
		['ab', rules.checkBucketName, `${BUCKET} a length of 2`],
		['a'.repeat(1025), rules.checkPrefix, `${PREFIX} a length of 1025`],
		['a&b', rules.checkPrefix, `${PREFIX} "&"`],
		['x', rules.checkAwsRegion, 'must be an AWS region such as us-west-2'],
		[
			'1',
			rules.checkAwsAccountId,
			'must be an AWS account ID of 12 digits, including leading zeros',
		],
		[
			'x',
			rules.checkTableBucketArn,
			'must be the ARN of a table bucket, such as arn:aws:s3tables:us-w',
		],
		['s3://b/x', rules.checkFolderPath, `${IN_STORAGE} an S3 path: enter only what comes`],
		['HTTPS://x/a.csv', rules.checkFilePath, `${IN_STORAGE} a web address`],
		['a/s3://b', rules.checkFolderPath, 'must not begin with a slash or contain an empty part'],
		[
			'C:\\data\\a.csv',
			rules.checkFilePath,
			'must be a path in the storage, not a file on a computer',
		],
		['a/', rules.checkFilePath, 'must be a file: a slash at the end names a folder'],
		['a/b', rules.checkFileName, 'must be a name without a folder: it must not contain a slash'],
		['../shared', rules.checkFolderPath, 'must not contain ".."'],
		['C:\\ops\\etl.py', rules.checkS3Path, `${S3_PATH}, not a file on a computer`],
		['https://b/etl.py', rules.checkS3Path, `${S3_PATH}, not a web address`],
		[
			'-122.3',
			rules.requireNumberFrom(-90, 90),
			'must be a number from -90 to 90, not "-122.3"; are latitude and longitude swapped?',
		],
		['us-west-2', rules.checkRegion, 'must be a region of Wherobots Cloud, such as aws-us-west-2'],
		['ETL: März/1', rules.checkRunName, `${NAME} ":", spaces, "ä" and "/"`],
		['x: 1', rules.checkRunName, `${NAME} a length of 4, ":" and spaces`],
		[
			'a.${b}',
			checkTableName,
			'must not contain ${: Spark substitutes variables there, and must not',
		],
		['..', rules.checkFileName, 'must not be ".."'],
	])('say what is wrong with %j', (value, rule, words) => {
		expect((rule as Rule)(value)?.startsWith(words)).toBe(true);
	});
});
