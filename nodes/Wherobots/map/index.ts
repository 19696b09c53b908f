import { FeatureSample } from './features';
import { mapScene } from './mapScene';
import { FeatureReader } from './readFeatures';
import { toPng } from './png';
import { toPage, toSvg } from './svg';

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
	facts: MapFacts;
}

/** How many features the file has, and how many of them are drawn. */
export interface MapFacts {
	features: number;
	drawn: number;
	/** Without a geometry in degrees of longitude and latitude, as GeoJSON requires. */
	notDrawable: number;
	/** What the map leaves out, as text; absent when it shows everything. */
	note?: string;
}

/** Collects what a map needs while the bytes of a GeoJSON file pass through. Memory stays bounded. */
export class MapMaker {
	private readonly sample = new FeatureSample();

	private readonly reader = new FeatureReader((feature) => this.sample.add(feature));

	/** Passes the bytes through unchanged. */
	async *watch(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
		for await (const block of bytes) {
			this.reader.push(block);
			yield block;
		}
	}

	/** The map of the bytes that passed through; empty when nothing in them can be drawn. */
	draw({ title, column }: MapOptions): DrawnMap {
		const { sample } = this;
		const facts = factsOf(sample);
		const scene = mapScene(sample.features, { title, column, note: facts.note });
		const svg = toSvg(scene);
		return { png: () => toPng(scene), svg, page: toPage(title, svg), facts };
	}
}

function factsOf({ features, drawable, unusable }: FeatureSample): MapFacts {
	const notes = [
		drawable + unusable === 0 && 'There are no GeoJSON features.',
		features.length < drawable &&
			`${figure(features.length)} of ${figure(drawable)} features are drawn, chosen evenly.`,
		unusable > 0 &&
			`${figure(unusable)} without a geometry in degrees (EPSG:4326) ${unusable === 1 ? 'is' : 'are'} left out.`,
	].filter(Boolean);
	const facts = { features: drawable + unusable, drawn: features.length, notDrawable: unusable };
	return notes.length > 0 ? { ...facts, note: notes.join(' ') } : facts;
}

function figure(count: number): string {
	return count.toLocaleString('en');
}
