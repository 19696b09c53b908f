import { sum } from './d3';
import { featureReader, type MapFeature, readFeature, type Reason } from './features';
import { mapScene } from './scene';
import { toPage, toPng, toSvg } from './pictures';

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

	/** Features that can be drawn, whether they were chosen or not. */
	private drawable = 0;

	/** How many others there are, by reason. */
	private readonly leftOut = new Map<Reason, number>();

	private stride = 1;

	private readonly reader = featureReader(
		(value) => this.add(readFeature(value)),
		(reason) => this.add(reason),
	);

	private failure: Error | undefined;

	/** Passes the bytes through unchanged, whatever they are. */
	async *watch(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
		for await (const block of bytes) {
			this.attempt(() => this.reader.read(block));
			yield block;
		}
		this.attempt(() => this.reader.end());
	}

	/**
	 * The map of the bytes that passed through, empty when nothing in them can be drawn: as SVG, as a
	 * page for any browser, and as a PNG file, which takes half a second and for the most complex map
	 * some seconds. `note` says what the map leaves out, and is empty when it shows everything.
	 *
	 * @throws Error what went wrong while the bytes passed through
	 */
	draw({ title, column }: MapOptions) {
		if (this.failure) throw this.failure;
		const { chosen } = this;
		const note = this.note();
		const scene = mapScene(chosen, { title, column, note });
		const svg = toSvg(scene);
		return {
			png: () => toPng(scene),
			svg,
			page: toPage(title, svg),
			facts: { features: this.drawable + sum(this.leftOut.values()), drawn: chosen.length, note },
		};
	}

	/** A map that cannot be drawn must not cost the file: the first failure is kept for `draw`. */
	private attempt(work: () => void): void {
		if (this.failure) return;
		try {
			work();
		} catch (error) {
			this.failure = error as Error;
		}
	}

	private add(feature: MapFeature | Reason): void {
		if (typeof feature === 'string') {
			this.leftOut.set(feature, (this.leftOut.get(feature) ?? 0) + 1);
			return;
		}
		if (this.drawable++ % this.stride === 0) this.chosen.push(feature);
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
		const { chosen, drawable } = this;
		const counted = (count: number) => count.toLocaleString('en');
		const reasons = [...this.leftOut]
			.sort(([, one], [, other]) => other - one)
			.map(([reason, count]) => `${counted(count)} ${reason}`);
		const notes = [
			drawable + reasons.length === 0 && 'There are no GeoJSON features.',
			chosen.length < drawable &&
				`${counted(chosen.length)} of ${counted(drawable)} features are drawn, chosen evenly.`,
			reasons.length > 0 && `Left out: ${reasons.join(', ')}.`,
		];
		return notes.filter(Boolean).join(' ');
	}
}
