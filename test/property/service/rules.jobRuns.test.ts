/**
 * The rules compared with a second reading of the interface: written from its tables, character by
 * character, and sharing no pattern with the rules themselves.
 */
import fc from 'fast-check';

import * as rules from '../../../nodes/Wherobots/service/rules';

const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const LETTERS = LOWER + LOWER.toUpperCase();
const DIGITS = '0123456789';

const within = (text: string, alphabet: string) => [...text].every((c) => alphabet.includes(c));
const count = (text: string, character: string) => text.split(character).length - 1;
const longEnough = (text: string, min: number, max: number) =>
	text.length >= min && text.length <= max;

/** "length 8 to 255; only letters, digits, underscore, hyphen, period" */
const isRunName = (text: string) =>
	longEnough(text, 8, 255) && within(text, `${LETTERS}${DIGITS}_-.`);

/** "maximum length 255; letters, digits, underscore, hyphen, period, and at most one asterisk" */
const isNameFilter = (text: string) =>
	text.length <= 255 && within(text, `${LETTERS}${DIGITS}_-.*`) && count(text, '*') <= 1;

/** "extension one of .jar, .whl, .zip, .json" */
const isDependencyFile = (text: string) =>
	['.jar', '.whl', '.zip', '.json'].some((end) => text.toLowerCase().endsWith(end));

/** Text of mostly allowed characters, so that both outcomes are common. */
const near = (alphabet: string, maxLength = 300) =>
	fc.oneof(
		fc.string({ unit: fc.constantFrom(...alphabet), maxLength }),
		fc.string({ unit: fc.constantFrom(...alphabet, '*', ' ', 'é', '\n', '/'), maxLength: 20 }),
		fc.string({ unit: 'binary', maxLength: 20 }),
		...[7, 8, 255, 256].map((length) => fc.constant('a'.repeat(length))),
	);

function agree(
	rule: (value: string) => string | undefined,
	oracle: (value: string) => boolean,
	values: fc.Arbitrary<string>,
): void {
	fc.assert(
		fc.property(values, (value) => {
			const problem = rule(value);
			expect([value, problem === undefined]).toEqual([value, oracle(value)]);
			if (problem !== undefined) expect(problem).toMatch(/^(must|may|contains) \S/);
		}),
		{ numRuns: 500 },
	);
}

describe('rules', () => {
	it('of run names agree with the interface', () => {
		agree(rules.runName, isRunName, near(`${LETTERS}${DIGITS}_-.`));
	});

	it('of name filters agree with the interface', () => {
		agree(rules.runNamePattern, isNameFilter, near(`${LETTERS}${DIGITS}_-.*`));
	});

	it('of dependency files agree with the interface', () => {
		const ends = fc.constantFrom(
			'.jar',
			'.whl',
			'.zip',
			'.json',
			'.JAR',
			'.txt',
			'.jarx',
			'jar',
			'',
		);
		const paths = fc
			.tuple(fc.string({ unit: 'grapheme-ascii', maxLength: 20 }), ends)
			.map(([path, end]) => `/opt/${path}${end}`);
		agree(rules.dependencyFile, isDependencyFile, paths);
	});

	it.each([
		['s3://bucket/jobs/etl.py', true],
		['s3a://bucket/jobs/etl.py', true],
		['s3://bucket/a folder/etl.PY', true],
		['s3://bucket/etl.jar', true],
		['s3://bucket/etl', true],
		['s3://bucket/etl.py.txt', true],
		['s3://bucket', false],
		['s3:///etl.py', false],
		['https://bucket/etl.py', false],
		['bucket/etl.py', false],
		['s3://bucket/etl.py\n', false],
		['', false],
	])('of programs accept %j: %s', (path, fine) => {
		expect(rules.s3Path(path) === undefined).toBe(fine);
	});

	it.each([
		'rasterio',
		'a',
		'zope.interface',
		'ruamel_yaml',
		'apache-sedona',
		'dask[array,complete]',
	])('of package names accept %s', (name) => {
		expect(rules.libraryName(name)).toBeUndefined();
	});

	it.each(['', '-a', 'a-', 'a b', 'a==1', 'git+https://x', 'ä', 'a\n'])(
		'of package names refuse %j',
		(name) => {
			expect(rules.libraryName(name)).toBeDefined();
		},
	);

	it.each([
		'1.4.3',
		'==1.4.3',
		'>=1.4,<2',
		'~=2.0',
		'1.*',
		'!=1.5',
		'===1.0+local',
		'2!1.0',
		' >= 1 ',
	])('of versions accept %s', (version) => {
		expect(rules.libraryVersion(version)).toBeUndefined();
	});

	it.each(['', '>=', 'latest version', '1.0,', '=1', '>=1;<2', '1.0\n2.0'])(
		'of versions refuse %j',
		(version) => {
			expect(rules.libraryVersion(version)).toBeDefined();
		},
	);
});
