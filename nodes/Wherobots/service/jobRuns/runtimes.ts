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
export function runtimeName(id: string): string {
	return id
		.split('-')
		.map((part) => SPELLINGS[part] ?? part.replace(/[a-z]/, (letter) => letter.toUpperCase()))
		.join('-');
}

export const KNOWN_RUNTIMES = RUNTIME_FAMILIES.flatMap(([family, runtimes]) =>
	runtimes.map((id) => ({ id, name: runtimeName(id), family })),
);

/** The value for the organization's default runtime or region. */
export const ORGANIZATION_DEFAULT = 'organizationDefault';
