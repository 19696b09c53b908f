import { sum } from './d3';
import { readFeature, type MapFeature } from './features';
import { mapScene } from './mapScene';
import { toPng } from './png';
import { featureReader } from './readFeatures';
import { toPage, toSvg } from './svg';

/** What a browser draws without delay and an email can carry. */
const MAX_FEATURES = 3_000;
const MAX_POSITIONS = 50_000;

export interface MapOptions {
	title: string;
	/** The property whose values color the features; undefined for one color. */
	column?: string;
}

/**
 * Collects what a map needs while the bytes of a GeoJSON file pass through. It keeps all features, or,
 * where there are too many, every second, fourth, eighth … so that the choice is even and depends on
 * the file alone.
 */
export class MapMaker {
	private chosen: MapFeature[] = [];

	/** Features that can be drawn, whether they were chosen or not, and the others. */
	private drawable = 0;

	private notDrawable = 0;

	private stride = 1;

	private readonly read = featureReader((value) => this.add(readFeature(value)));

	/** Passes the bytes through unchanged. */
	async *watch(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
		for await (const block of bytes) {
			this.read(block);
			yield block;
		}
	}

	/**
	 * The map of the bytes that passed through, empty when nothing in them can be drawn: as SVG, as a
	 * page for any browser, and as a PNG file, which takes half a second and for the most complex map
	 * some seconds. `note` says what the map leaves out, and is empty when it shows everything.
	 */
	draw({ title, column }: MapOptions) {
		const { chosen, drawable, notDrawable } = this;
		const note = this.note();
		const scene = mapScene(chosen, { title, column, note });
		const svg = toSvg(scene);
		return {
			png: () => toPng(scene),
			svg,
			page: toPage(title, svg),
			facts: { features: drawable + notDrawable, drawn: chosen.length, note },
		};
	}

	private add(feature: MapFeature | undefined): void {
		if (!feature) this.notDrawable++;
		else if (this.drawable++ % this.stride === 0) this.chosen.push(feature);
		else return;
		const isTooMuch = () =>
			this.chosen.length > MAX_FEATURES ||
			sum(this.chosen, ({ positions }) => positions) > MAX_POSITIONS;
		while (this.chosen.length > 1 && isTooMuch()) {
			this.stride *= 2;
			this.chosen = this.chosen.filter((_, place) => place % 2 === 0);
		}
	}

	private note(): string {
		const { chosen, drawable, notDrawable } = this;
		const [drawn, all, others] = [chosen.length, drawable, notDrawable].map((count) =>
			count.toLocaleString('en'),
		);
		const notes = [
			drawable + notDrawable === 0 && 'There are no GeoJSON features.',
			chosen.length < drawable && `${drawn} of ${all} features are drawn, chosen evenly.`,
			notDrawable > 0 && `Left out: ${others} without a geometry in degrees (EPSG:4326).`,
		];
		return notes.filter(Boolean).join(' ');
	}
}
