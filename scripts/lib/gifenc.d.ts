declare module 'gifenc' {
	type Palette = number[][];

	interface Encoder {
		writeFrame(
			indexes: Uint8Array,
			width: number,
			height: number,
			options: { palette: Palette; delay: number },
		): void;
		finish(): void;
		bytes(): Uint8Array;
	}

	export function GIFEncoder(): Encoder;
	export function quantize(rgba: Uint8Array, colors: number): Palette;
	export function applyPalette(rgba: Uint8Array, palette: Palette): Uint8Array;
}
