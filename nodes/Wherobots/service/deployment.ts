/**
 * A deployment of the service: its address, its regions and runtimes; and what the package calls itself
 * there.
 */

/** The service's address unless the credential names another one. */
export const DEFAULT_BASE_URL = 'https://api.cloud.wherobots.com';

/** Host of the web console; the API has another. */
const CONSOLE_HOST = 'cloud.wherobots.com';

/** The value of the field is not quoted: someone may have pasted a key into it. */
const WHAT_TO_ENTER = `Enter ${DEFAULT_BASE_URL}, or the address of your own deployment.`;

type BaseUrl = { ok: true; url: string } | { ok: false; problem: string };

/** Whether a host name means this machine, for which plain http does not cross a network. */
export function isLoopbackHost(hostname: string): boolean {
	const host = hostname.toLowerCase().replace(/^\[|\]$/g, '');
	return (
		host === 'localhost' ||
		host.endsWith('.localhost') ||
		host === '::1' ||
		/^127(\.\d{1,3}){3}$/.test(host)
	);
}

/**
 * Reads the base URL of a credential: https only (plain http for a loopback host), any path kept,
 * trailing slashes dropped. A problem is a sentence about the 'Base URL' field.
 */
export function parseBaseUrl(input: unknown): BaseUrl {
	const text = typeof input === 'string' ? input.trim() : input;
	if (text === '' || text === undefined || text === null)
		return { ok: true, url: DEFAULT_BASE_URL };
	if (typeof text !== 'string')
		return refuse(`'Base URL' must be text, such as ${DEFAULT_BASE_URL}`);
	const url = URL.canParse(text) ? new URL(text) : undefined;
	if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
		return refuse(`'Base URL' must start with https://. ${WHAT_TO_ENTER}`);
	}
	if (url.username || url.password) {
		return refuse("'Base URL' must not contain a user name or password");
	}
	if (url.search || url.hash) return refuse("'Base URL' must not contain '?' or '#'");
	if (url.protocol === 'http:' && !isLoopbackHost(url.hostname)) {
		return refuse(
			`'Base URL' must start with https://, so that the key is not sent unencrypted. ${WHAT_TO_ENTER}`,
		);
	}
	if (url.hostname.replace(/\.$/, '') === CONSOLE_HOST) {
		return refuse(
			`'Base URL' must be the address of the API, not of the web console. ${WHAT_TO_ENTER}`,
		);
	}
	return { ok: true, url: url.origin + url.pathname.replace(/(?<!\/)\/+$/, '') };
}

function refuse(problem: string): BaseUrl {
	return { ok: false, problem };
}

/** Public regions of the managed service; organizations may have others, so names can be typed. */
export const KNOWN_REGIONS = [
	'aws-us-west-2',
	'aws-us-east-1',
	'aws-us-east-2',
	'aws-eu-west-1',
	'aws-ap-south-1',
] as const;

/**
 * Runtimes by family, smallest first (interface, "Runtime values"); not every organization has all of
 * them.
 */
const RUNTIME_FAMILIES: Array<[family: string, runtimes: string[]]> = [
	[
		'General purpose',
		['micro', 'tiny', 'small', 'medium', 'large', 'x-large', '2x-large', '4x-large'],
	],
	[
		'High memory',
		['medium-himem', 'large-himem', 'x-large-himem', '2x-large-himem', '4x-large-himem'],
	],
	['High CPU', ['x-large-hicpu', '2x-large-hicpu']],
	['Map matching', ['x-large-matcher', '2x-large-matcher']],
	[
		'GPU (A10)',
		[
			'micro-a10-gpu',
			'tiny-a10-gpu',
			'small-a10-gpu',
			'medium-a10-gpu',
			'large-a10-gpu',
			'x-large-a10-gpu',
		],
	],
	['Older names', ['TINY', 'SMALL', 'MEDIUM', 'LARGE', 'XLARGE', 'XXLARGE']],
];

/** Parts of a runtime's ID that are not written like other words. */
const SPELLINGS: Record<string, string> = { himem: 'HiMem', hicpu: 'HiCPU', gpu: 'GPU' };

/** A runtime's ID as people write it: `2x-large-himem` is 2X-Large-HiMem. Older names stay. */
export function formatRuntimeName(id: string): string {
	return id
		.split('-')
		.map((part) => SPELLINGS[part] ?? part.replace(/[a-z]/, (letter) => letter.toUpperCase()))
		.join('-');
}

export const KNOWN_RUNTIMES = RUNTIME_FAMILIES.flatMap(([family, runtimes]) =>
	runtimes.map((id) => ({ id, name: formatRuntimeName(id), family })),
);

/** The value for the organization's default runtime or region. */
export const ORGANIZATION_DEFAULT = 'organizationDefault';

/**
 * Name and version of this package as they appear in the User-Agent of every request. A unit test
 * compares them with package.json, because shipped code may not read files.
 */
export const PACKAGE_NAME = 'n8n-nodes-wherobots';
export const PACKAGE_VERSION = '0.1.0';
export const USER_AGENT = `${PACKAGE_NAME}/${PACKAGE_VERSION}`;

/**
 * Tells the service which client a request comes from; its audit events show it. The form is that of
 * the service's own clients: `client=<name>;ver=<version>`, ASCII, at most 512 bytes.
 */
export const CLIENT_HEADER = { 'X-Wherobots-Client': `client=n8n;ver=${PACKAGE_VERSION}` };
