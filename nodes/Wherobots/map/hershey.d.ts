declare module 'hershey' {
	/** The lines of a text in a font whose capitals go from -9 to 12, upwards. */
	export function stringToPaths(text: string): {
		bounds: { minX: number; maxX: number };
		paths: Array<Array<[x: number, y: number]>>;
	};
}
