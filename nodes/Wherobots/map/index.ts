import { readFeature, type MapFeature } from './features';
import { mapScene } from './mapScene';
import { FeatureReader } from './readFeatures';
import { toPng } from './png';
import { toPage, toSvg } from './svg';

/** What a browser draws without delay and an email can carry. */
const MAX_FEATURES = 3_000;
const MAX_POSITIONS = 50_000;

export interface MapOptions {
	title: string;
	/** The property whose values color the features; undefined for one color. */
	column?: string;
}

/** A map of the features in a GeoJSON file. */
export interface DrawnMap {
	/** The same picture as a PNG file; drawing it takes about a second. */
	png(): Uint8Array;
	svg: string;
	/** A page for any browser. */
	page: string;
	facts: {
		features: number;
		drawn: number;
		/** Without a geometry in degrees of longitude and latitude, as GeoJSON requires. */
		notDrawable: number;
		/** What the map leaves out, as text; absent when it shows everything. */
		note?: string;
	};
}

/**
 * Collects what a map needs while the bytes of a GeoJSON file pass through. It keeps all features, or,
 * where there are too many, every second, fourth, eighth … so that the choice is even and depends on
 * the file alone.
 */
export class MapMaker {
	private chosen: Array<{ feature: MapFeature; size: number }> = [];

	/** Features that can be drawn, whether they were chosen or not, and the others. */
	private drawable = 0;

	private notDrawable = 0;

	private stride = 1;

	private readonly reader = new FeatureReader((value) => this.add(readFeature(value)));

	/** Passes the bytes through unchanged. */
	async *watch(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
		for await (const block of bytes) {
			this.reader.push(block);
			yield block;
		}
	}

	/** The map of the bytes that passed through; empty when nothing in them can be drawn. */
	draw({ title, column }: MapOptions): DrawnMap {
		const { drawable, notDrawable } = this;
		const features = this.chosen.map(({ feature }) => feature);
		const note = this.note();
		const scene = mapScene(features, { title, column, note });
		const svg = toSvg(scene);
		const facts = { features: drawable + notDrawable, drawn: features.length, notDrawable };
		return {
			png: () => toPng(scene),
			svg,
			page: toPage(title, svg),
			facts: note ? { ...facts, note } : facts,
		};
	}

	private add(feature: MapFeature | undefined): void {
		if (!feature) this.notDrawable++;
		else if (this.drawable++ % this.stride === 0) {
			const size = feature.parts.flatMap(({ rings }) => rings.flat()).length;
			this.chosen.push({ feature, size });
			while (this.chosen.length > 1 && this.isTooMuch()) {
				this.stride *= 2;
				this.chosen = this.chosen.filter((_, place) => place % 2 === 0);
			}
		}
	}

	private isTooMuch(): boolean {
		const positions = this.chosen.reduce((sum, { size }) => sum + size, 0);
		return this.chosen.length > MAX_FEATURES || positions > MAX_POSITIONS;
	}

	private note(): string {
		const { chosen, drawable, notDrawable } = this;
		const notes = [
			drawable + notDrawable === 0 && 'There are no GeoJSON features.',
			chosen.length < drawable &&
				`${figure(chosen.length)} of ${figure(drawable)} features are drawn, chosen evenly.`,
			notDrawable > 0 &&
				`${figure(notDrawable)} without a geometry in degrees (EPSG:4326) ${notDrawable === 1 ? 'is' : 'are'} left out.`,
		];
		return notes.filter(Boolean).join(' ');
	}
}

function figure(count: number): string {
	return count.toLocaleString('en');
}
