/** What a CPU profile of an export says, in words of the work instead of functions. */
import type { CpuProfile } from './profiler';

/** Of n8n's main thread, in milliseconds. */
export type Shares = Record<string, number>;

type Frame = CpuProfile['nodes'][number]['callFrame'];

/** The first that fits counts. Functions of the engine have no address. */
const KINDS: Array<[kind: string, fits: (frame: Frame) => boolean]> = [
	['', ({ url }) => url === 'node:inspector'],
	['waiting: for bytes, for the file', named('(idle)')],
	['collecting garbage', named('(garbage collector)')],
	['counting rows', ({ url }) => /\/rowScanner\.js$/.test(url)],
	['comparing event IDs', ({ url }) => /\/(repeatFilter|seenIds|murmur3)\.js$/.test(url)],
	['SHA-256', (frame) => named('update')(frame) || frame.url === 'node:internal/crypto/hash'],
	['putting blocks together', named('concat', 'createUnsafeBuffer', 'copy', 'set', '_copyActual')],
	[
		'writing the file',
		(frame) => named('writeBuffer')(frame) || /^node:(internal\/)?fs/.test(frame.url),
	],
	[
		'receiving: sockets, HTTP, streams',
		(frame) =>
			named('execute')(frame) || /^node:(_http|net|internal\/stream|events)/.test(frame.url),
	],
	['the rest of the package', ({ url }) => /\/Wherobots\//.test(url)],
	['the rest of n8n and Node.js', () => true],
];

/** Adds up the samples of a profile by kind of work, in the order in which the kinds are listed. */
export function sharesOf({ nodes, samples = [], timeDeltas = [] }: CpuProfile): Shares {
	const kinds = new Map(
		nodes.map(({ id, callFrame }) => [id, KINDS.find(([, fits]) => fits(callFrame))?.[0] ?? '']),
	);
	const shares: Shares = Object.fromEntries(
		KINDS.filter(([kind]) => kind !== '').map(([kind]) => [kind, 0]),
	);
	samples.forEach((id, index) => {
		const kind = kinds.get(id);
		if (kind) shares[kind] += timeDeltas[index] / 1000;
	});
	return shares;
}

function named(...names: string[]) {
	return ({ functionName, url }: Frame) =>
		names.includes(functionName) && (url === '' || url.startsWith('node:'));
}
