/**
 * The service's rules for values, as the interface states them. A rule returns the end of a sentence
 * about the field ("must …"), or undefined when the value is valid. Values of open enums (runtimes,
 * regions, versions, statuses) have no rule: the service may know more of them than this package.
 */

import { toFolder } from './files';

type TextRule = (value: string) => string | undefined;

/** Text in a message: what cannot be seen, but line breaks and tabs, as its code, such as `<U+200B>`. */
export function toVisible(text: string): string {
	return text.replace(/[\p{Cf}\p{Zl}\p{Zp}]|(?![\n\r\t])\p{Cc}|(?! )\p{Zs}/gu, (character) => {
		const code = Number(character.codePointAt(0)).toString(16).toUpperCase();
		return `<U+${code.padStart(4, '0')}>`;
	});
}

/** The characters that are none of the allowed ones, as they stand in a sentence. */
function listOthers(value: string, allowed: RegExp): string[] {
	const others = [...value].filter((character) => !allowed.test(character));
	const shown = others.map((other) => (/\s/.test(other) ? 'spaces' : `"${toVisible(other)}"`));
	return [...new Set(shown)].slice(0, 5);
}

/** What n8n resolves between braces; `{{ $.Values }}` and `{{ $name := 1 }}` are templates of another kind. */
const RESOLVED = /\$(\(|[a-z]\w*\b(?!\s*:?=(?!=)))|\bDateTime\./i;

/** Whether a text contains an n8n expression that was not resolved. */
export const hasExpression = (text: string): boolean =>
	text
		.split('{{')
		.slice(1)
		.some((part) => RESOLVED.test(part.split('}}')[0]));

const isWebAddress = (value: string) => /^https?:\/\//i.test(value);

/**
 * The rule for a name. What breaks it is told with all of it, so that the next value is right.
 *
 * @param what may be in it, as the end of a sentence
 * @param isWhole what else holds
 */
const limitName =
	([least, most]: [number, number], allowed: RegExp, what: string, isWhole = /^/): TextRule =>
	(value) => {
		const isLong = value.length >= least && value.length <= most;
		const others = listOthers(value, allowed);
		if (isLong && others.length === 0 && isWhole.test(value)) return undefined;
		const length = `${least > 0 ? `${least} to` : 'at most'} ${most} characters long`;
		const found = [...(isLong ? [] : [`a length of ${value.length}`]), ...others];
		const last = found.splice(-2).join(' and ');
		const but = last && `, but has ${[...found, last].join(', ')}`;
		return `must be ${length} and ${what}${but}`;
	};

const NAME_CHARACTERS = 'contain only letters, digits, underscores, hyphens';

/** Interface, "Run payload": name. */
export const checkRunName = limitName([8, 255], /[A-Za-z0-9_.-]/, `${NAME_CHARACTERS} and periods`);

/** Interface, "List Runs query parameters": name. */
export const checkRunNamePattern = limitName(
	[0, 255],
	/[A-Za-z0-9_.*-]/,
	`${NAME_CHARACTERS}, periods and one asterisk`,
	/^[^*]*(\*[^*]*)?$/,
);

/** The name of a task, or the beginning of one before an asterisk (vendor's page "List task runs"). */
export const checkTaskNamePattern = limitName(
	[0, 255],
	/[A-Za-z0-9_.*-]/,
	`${NAME_CHARACTERS}, periods and one asterisk at the end`,
	/^[^*]+\*?$/,
);

const NOT_LOCAL = 'not a file on a computer: upload it to a storage first';

/**
 * Interface, "Run payload": an S3 path. Managed storage and storage integrations have S3 paths, too.
 * Extensions of programs are not documented. Its examples and the vendor's clients begin with s3://,
 * which also names what Spark calls s3a://.
 */
export const checkS3Path: TextRule = (value) =>
	/^s3:\/\/[^/\s]+\/\S.*$/.test(value)
		? undefined
		: /^s3a:/i.test(value)
			? 'must begin with s3://'
			: `must be an S3 path such as s3://bucket/folder/file${isWebAddress(value) ? ', not a web address' : /^[a-z]:|^[/\\]/i.test(value) ? `, ${NOT_LOCAL}` : ''}`;

/** A bucket in S3, or a folder in it. */
export const checkS3Location: TextRule = (value) =>
	/^s3a?:\/\/[^/\s]+(\/|$)/.test(value)
		? undefined
		: 'must be an S3 location such as s3://bucket/folder';

/** Extensions of a FILE dependency (interface, "Run environment"). */
const DEPENDENCY = /\.(jar|whl|zip|json)$/i;

export const checkDependencyFile: TextRule = (value) => {
	if (isWebAddress(value))
		return 'must be a path such as s3://bucket/folder/file, not a web address';
	if (/,\s*s3a?:/i.test(value)) return 'must be one file: add an entry for each';
	return DEPENDENCY.test(value)
		? undefined
		: 'must end with .jar, .whl, .zip or .json: put Python modules into a .zip file';
};

/** A package-index name (interface, "Run environment"; the grammar is Python's). */
export const checkLibraryName: TextRule = (value) =>
	/^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?(\[[A-Za-z0-9._, -]+\])?$/.test(value)
		? undefined
		: 'must be the name of a Python package, without its version';

/** A version (`2.1.0`) or specifier (`>=2,<3`). */
export const checkLibraryVersion: TextRule = (value) =>
	/^\s*((~=|===?|!=|<=?|>=?)\s*)?[\w.*+!-]+(\s*,\s*(~=|===?|!=|<=?|>=?)\s*[\w.*+!-]+)*\s*$/.test(
		value,
	)
		? undefined
		: 'must be a version such as 2.1.0 or a specifier such as >=2,<3';

/** Why a path value cannot be sent, or undefined when it can. URLs drop `.` and `..` segments, even encoded. */
export function checkPathValue(value: string): string | undefined {
	if (value === '') return 'must not be empty';
	if (value === '.' || value === '..') return `must not be "${value}"`;
	return findBrokenCharacter(value);
}

/** A lone surrogate has no encoding: HTTP clients would send something else. */
export function findBrokenCharacter(value: string): string | undefined {
	return value.isWellFormed() ? undefined : 'contains an invalid character (an unpaired surrogate)';
}

/** The rule for a value with any number of segments: `data/shared/job.py`, `data/shared/` or empty. */
export function checkPath(value: string): string | undefined {
	if (value === '') return undefined;
	const segments = value.replace(/\/$/, '').split('/');
	if (segments.includes('')) return 'must not begin with a slash or contain an empty part';
	const problem = segments.map(checkPathValue).find(Boolean);
	return segments.length > 1 ? problem?.replace('must not be', 'must not contain') : problem;
}

const MAX_PATH_BYTES = 1024;

/** A folder in a storage; leading and trailing slashes are ignored. */
export const checkFolderPath: TextRule = (value) => {
	const what = isWebAddress(value)
		? 'a web address'
		: /^s3a?:\/\//i.test(value)
			? 'an S3 path'
			: undefined;
	if (/^[a-z]:[\\/]|^\\\\/i.test(value)) return `must be a path in the storage, ${NOT_LOCAL}`;
	if (what) {
		return `must be a path in the storage such as jobs/2026, not ${what}: enter only what comes after the storage`;
	}
	// Each of its folders is a request where they are created.
	if (Buffer.byteLength(value) > MAX_PATH_BYTES) {
		return `must be at most ${MAX_PATH_BYTES} bytes long, as S3 requires`;
	}
	return checkPath(toFolder(value));
};

/** A file in a storage; a leading slash is ignored. */
export const checkFilePath: TextRule = (value) => {
	if (value.endsWith('/')) return 'must be a file: a slash at the end names a folder';
	return checkFolderPath(value);
};

/** The name of a file, without folders. */
export const checkFileName: TextRule = (value) => {
	return /[/\p{Cc}]/u.test(value)
		? 'must be a name without a folder: it must not contain a slash, line breaks or other control characters'
		: checkPath(value);
};

/** @param max may be Infinity */
export const requireBetween =
	(min: number, max: number) =>
	(value: number): string | undefined => {
		if (value >= min && value <= max) return undefined;
		const range = max === Infinity ? `at least ${min}` : `from ${min} to ${max}`;
		return `must be ${range}, not ${value}`;
	};

/** A decimal number as text. Nothing else has a comma for a reason. */
export const requireNumberFrom =
	(least: number, most: number): TextRule =>
	(text) => {
		if (Number(text) >= least && Number(text) <= most) return undefined;
		const how = text.includes(',') ? ', with a period before the decimals' : '';
		const isSwapped = most === 90 && Math.abs(Number(text)) <= 180;
		return `must be a number from ${least} to ${most}${how}, not "${text}"${isSwapped ? '; are latitude and longitude swapped?' : ''}`;
	};

export const limitLength =
	(max: number): TextRule =>
	(value) =>
		value.length <= max ? undefined : `must be at most ${max} characters long, not ${value.length}`;

/** Interface, "Query parameters of the link and template operations": bucket. */
export const checkBucketName = limitName(
	[3, 63],
	/[a-z0-9.-]/,
	'contain only lowercase letters, digits, periods and hyphens, without s3:// or a folder',
);

/** Interface, as above: prefix. */
export const checkPrefix = limitName(
	[0, 1024],
	/[^&#\p{Cc}]|[\u0080-\u009f]/u,
	'not contain &, # or control characters',
);

/** Interface, as above: region. */
export const checkAwsRegion: TextRule = (value) =>
	/^[a-z]{2}(-[a-z]+)+-\d$/.test(value) ? undefined : 'must be an AWS region such as us-west-2';

/** Regions of the service begin with their cloud; those of AWS do not. */
export const checkRegion: TextRule = (value) =>
	checkAwsRegion(value) === undefined
		? `must be a region of Wherobots Cloud, such as aws-${value}`
		: undefined;

/** Interface, as above: awsAccountId. Sent as {@link toPlainAccountId}. */
export const checkAwsAccountId: TextRule = (value) =>
	/^\d{12}$/.test(toPlainAccountId(value))
		? undefined
		: 'must be an AWS account ID of 12 digits, including leading zeros';

/** An account ID as the service takes it: AWS shows it as `1234-5678-9012`. */
export function toPlainAccountId(value: string): string {
	return /^\d{4}-\d{4}-\d{4}$/.test(value) ? value.replaceAll('-', '') : value;
}

/** Interface, as above: tableBucketArn. The public description states the partition: `aws`. */
export const checkTableBucketArn: TextRule = (value) =>
	/^arn:aws:s3tables:[a-z0-9-]+:\d{12}:bucket\/[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/.test(value)
		? undefined
		: 'must be the ARN of a table bucket, such as arn:aws:s3tables:us-west-2:123456789012:bucket/my-tables';
