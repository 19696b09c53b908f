declare module 'hershey' {
	/** The strokes of a text, in a font whose capitals extend from -9 up to 12. */
	export function stringToPaths(text: string): {
		bounds: { minX: number; maxX: number };
		paths: Array<Array<[x: number, y: number]>>;
	};
}

/** The older module resolution of n8n's build does not find the package's own declarations. */
declare module 'fast-png' {
	export function encode(
		image: { width: number; height: number; data: Uint8ClampedArray; channels: number },
		options: { zlib: { level: number } },
	): Uint8Array;
}

/** The older module resolution of n8n's build does not find the package's own declarations. */
declare module 'cbor2/decoder' {
	export function decode(bytes: Uint8Array): unknown;
}
