import fc from 'fast-check';

import * as rules from '../../../nodes/Wherobots/service/rules';

const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const DIGITS = '0123456789';

/** Texts of these characters. */
const of = (characters: string, minLength: number, maxLength = minLength) =>
	fc.string({ unit: fc.constantFrom(...characters), minLength, maxLength });

const accepted = (rule: (value: string) => string | undefined, values: fc.Arbitrary<string>) =>
	fc.assert(fc.property(values, (value) => rule(value) === undefined));

/** Refusals are the end of a sentence about the field. */
const refused = (rule: (value: string) => string | undefined, values: fc.Arbitrary<string>) =>
	fc.assert(fc.property(values, (value) => /^(must|may|contains) /.test(rule(value) ?? '')));

/** A good value with one character that does not belong, at any place. */
const spoiled = (values: fc.Arbitrary<string>, characters: string) =>
	fc.tuple(values, fc.constantFrom(...characters), fc.nat()).map(([value, bad, at]) => {
		const place = at % (value.length + 1);
		return value.slice(0, place) + bad + value.slice(place);
	});

describe('bucket', () => {
	const good = of(`${LOWER}${DIGITS}.-`, 3, 63);

	it('takes every bucket name', () => accepted(rules.bucketName, good));

	it('refuses other characters and lengths', () => {
		refused(rules.bucketName, spoiled(good, 'ABZ_/:& é*'));
		refused(rules.bucketName, of(LOWER, 0, 2));
		refused(rules.bucketName, of(LOWER, 64, 200));
	});
});

describe('prefix', () => {
	const good = fc
		.string({ unit: 'grapheme', maxLength: 300 })
		.map((text) => text.replace(/[&#\p{Cc}]/gu, ''));

	it('takes any text without &, # and control characters, C1 included', () => {
		accepted(rules.prefix, good);
		accepted(rules.prefix, of('\u0080\u009f\u00a0', 1, 20));
		accepted(rules.prefix, of('p', 1024));
	});

	it('refuses what the interface forbids', () => {
		refused(rules.prefix, spoiled(good, '&#\u0000\u0009\u001f\u007f'));
		refused(rules.prefix, of('p', 1025, 1100));
	});
});

describe('AWS region', () => {
	const good = fc
		.tuple(of(LOWER, 2), fc.array(of(LOWER, 1, 9), { minLength: 1, maxLength: 3 }), of(DIGITS, 1))
		.map(([country, parts, digit]) => [country, ...parts, digit].join('-'));

	it('takes every region', () => accepted(rules.awsRegion, good));

	it('refuses anything around or inside it', () => {
		refused(
			rules.awsRegion,
			good.map((region) => `${region}a`),
		);
		refused(
			rules.awsRegion,
			good.map((region) => `${region}1`),
		);
		refused(
			rules.awsRegion,
			good.map((region) => `${region}\n`),
		);
		refused(
			rules.awsRegion,
			good.map((region) => region.toUpperCase()),
		);
		refused(
			rules.awsRegion,
			good.map((region) => region.replace(/-\d$/, '')),
		);
	});
});

describe('AWS account', () => {
	it('takes twelve digits, and nothing else', () => {
		accepted(rules.awsAccountId, of(DIGITS, 12));
		refused(rules.awsAccountId, of(DIGITS, 0, 11));
		refused(rules.awsAccountId, of(DIGITS, 13, 20));
		refused(rules.awsAccountId, spoiled(of(DIGITS, 11), 'x- ١\n'));
	});

	it('takes the hyphens that AWS shows it with, and no others', () => {
		const shown = of(DIGITS, 12).map((id) => id.replace(/^(.{4})(.{4})/, '$1-$2-'));
		accepted(rules.awsAccountId, shown);
		fc.assert(
			fc.property(shown, (id) => {
				expect(rules.plainAccountId(id)).toBe(id.split('-').join(''));
				expect(rules.plainAccountId(id)).toMatch(/^[0-9]{12}$/);
			}),
		);
		refused(
			rules.awsAccountId,
			of(DIGITS, 12).map((id) => `${id.slice(0, 3)}-${id.slice(3)}`),
		);
	});
});

describe('table bucket ARN', () => {
	const name = fc
		.tuple(of(LOWER + DIGITS, 1), of(`${LOWER}${DIGITS}-`, 1, 61), of(LOWER + DIGITS, 1))
		.map((parts) => parts.join(''));
	const arn = (bucket: fc.Arbitrary<string>, partition = 'aws') =>
		fc
			.tuple(fc.constant(partition), of(DIGITS, 12), bucket)
			.map(
				([partition, account, id]) => `arn:${partition}:s3tables:us-west-2:${account}:bucket/${id}`,
			);

	it('takes every table bucket', () => accepted(rules.tableBucketArn, arn(name)));

	it('refuses other partitions, services, accounts and names', () => {
		const good = arn(name);
		refused(rules.tableBucketArn, arn(name, 'aws-cn'));
		refused(rules.tableBucketArn, arn(name, 'aws-us-gov'));
		refused(
			rules.tableBucketArn,
			good.map((text) => text.replace('s3tables', 's3')),
		);
		refused(
			rules.tableBucketArn,
			good.map((text) => text.replace(/\d{12}/, '1')),
		);
		refused(
			rules.tableBucketArn,
			good.map((text) => `${text}/table/x`),
		);
		refused(rules.tableBucketArn, arn(name.map((text) => `-${text}`)));
		refused(rules.tableBucketArn, arn(name.map((text) => `${text.slice(0, 62)}-`)));
		refused(rules.tableBucketArn, arn(of(LOWER, 64, 80)));
		refused(rules.tableBucketArn, arn(of(LOWER, 0, 2)));
	});
});

describe('S3 locations', () => {
	const bucket = of(`${LOWER}${DIGITS}.-`, 3, 63);

	it('takes a bucket and any folder in it', () => {
		const folder = fc.tuple(bucket, fc.string()).map(([name, path]) => `s3://${name}/${path}`);
		accepted(rules.s3Location, folder);
		accepted(
			rules.s3Location,
			bucket.map((name) => `s3://${name}`),
		);
	});

	it('refuses other schemes and no bucket', () => {
		refused(rules.s3Location, bucket);
		refused(
			rules.s3Location,
			bucket.map((name) => `https://${name}`),
		);
		refused(
			rules.s3Location,
			fc.string().map((path) => `s3:///${path}`),
		);
	});
});

it('refuses path values that a URL would take for its own', () => {
	for (const value of ['', '.', '..', 'a\ud800b', '\udc00']) {
		expect(rules.pathValue(value)).toBeDefined();
	}
	const good = fc
		.string({ unit: 'grapheme', minLength: 1 })
		.filter((text) => !/^\.{1,2}$/.test(text));
	accepted(rules.pathValue, good);
});
