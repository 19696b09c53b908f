import { applyPalette, GIFEncoder, quantize } from 'gifenc';
import { PNG } from 'pngjs';

const COLORS = 128;

/**
 * An animated GIF of pictures of the same size, which loops.
 *
 * @param frames PNG files, each with the milliseconds for which it is shown
 */
export function animation(frames: Array<{ picture: Buffer; ms: number }>): Buffer {
	const encoder = GIFEncoder();
	for (const { picture, ms } of frames) {
		const { data, width, height } = PNG.sync.read(picture);
		const palette = quantize(data, COLORS);
		const indexes = applyPalette(data, palette);
		encoder.writeFrame(indexes, width, height, { palette, delay: ms });
	}
	encoder.finish();
	return Buffer.from(encoder.bytes());
}
