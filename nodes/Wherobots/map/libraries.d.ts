declare module 'hershey' {
	/** The lines of a text in a font whose capitals go from -9 to 12, upwards. */
	export function stringToPaths(text: string): {
		bounds: { minX: number; maxX: number };
		paths: Array<Array<[x: number, y: number]>>;
	};
}

/** Its own declarations are out of reach for the build of community nodes, which resolves modules as Node.js once did. */
declare module 'fast-png' {
	export function encode(image: {
		width: number;
		height: number;
		data: Uint8Array;
		channels: number;
	}): Uint8Array;
	export function decode(png: Uint8Array): {
		width: number;
		height: number;
		data: Uint8Array;
		channels: number;
	};
}
