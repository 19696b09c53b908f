import { sum } from './d3';
import {
	createFeatureReader,
	LEFT_OUT,
	type MapFeature,
	parseFeature,
	type Reason,
	thin,
} from './features';
import {
	addNote,
	computeDegreesPerUnit,
	createScene,
	EMPTY,
	FRAME,
	type MapOptions,
} from './scene';
import { toPage, toPng, toSvg } from './pictures';
import { hasLetters } from './shapes';

/** What a browser draws without delay and an email can carry. */
const MAX_FEATURES = 3_000;
const MAX_POSITIONS = 50_000;

/** In units of the map: outlines are thinned to half a unit, which is a pixel, and then to more. */
const DISTANCES = [0.5, 1, 2, 4];

const TRANSFORM =
	"From Web Mercator, ST_Transform(geometry, 'EPSG:3857', 'EPSG:4326') converts to degrees.";

const MISSING_LETTERS =
	'The picture shows ? for letters that its font lacks, and omits accents that it lacks. The page and the SVG file show all of them.';

/** The last of the characters that are blank, in ASCII; brackets alone are an empty list. */
const SPACE = 0x20;
const BRACKETS = [0x5b, 0x5d];

/** How many names of columns are remembered. */
const MAX_COLUMNS = 10_000;

/**
 * Collects what a map needs while the bytes of a GeoJSON file pass through. Where they have too many
 * positions, it leaves out those that a picture cannot show. Where there are too many features, it keeps
 * every second, fourth, eighth … so that the choice is even and depends on the file alone.
 */
export class MapMaker {
	private chosen: MapFeature[] = [];

	/** How many those have. */
	private positions = 0;

	/** Features that can be drawn, whether they were chosen or not. */
	private drawable = 0;

	/** How many others there are, by reason. */
	private readonly leftOut = new Map<Reason, number>();

	/** Those of all these features. */
	private readonly columns = new Set<string>();

	private stride = 1;

	private isBlank = true;

	/** By the last block; they are added with the next, since to read a large one takes long enough. */
	private found: Array<() => MapFeature | Reason> = [];

	private readonly reader = createFeatureReader(
		(value) => this.found.push(() => parseFeature(value)),
		(reason) => this.found.push(() => reason),
	);

	private failure: Error | undefined;

	/** @param turn lets others work between steps that take long */
	constructor(private readonly turn: () => Promise<void>) {}

	/** Passes the bytes through unchanged, whatever they are. */
	async *watch(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
		for await (const block of bytes) {
			this.attempt(() => {
				this.isBlank &&= block.every((byte) => byte <= SPACE || BRACKETS.includes(byte));
				this.addFound();
				this.reader.read(block);
			});
			yield block;
		}
		await this.turn();
		this.attempt(() => {
			this.reader.end();
			this.addFound();
		});
	}

	/**
	 * The map of the bytes that passed through, empty when they have no features: as SVG, as a page for any
	 * browser, and as a PNG file, once that is wanted (`toPng`). `note` says what the map leaves out, and
	 * is empty when it shows everything.
	 *
	 * @throws Error what went wrong while the bytes passed through, or that they are no GeoJSON, or that no
	 * feature has the column
	 */
	draw(options: MapOptions) {
		if (this.failure) throw this.failure;
		this.check(options);
		const { chosen } = this;
		const map = createScene(chosen, options, chosen.length < this.drawable);
		const scene = addNote(map, this.note());
		const svg = toSvg(scene);
		const isReadable = map.shapes.every((shape) => !('text' in shape) || hasLetters(shape.text));
		// Only in the picture, which needs that note.
		const note = [this.note(), !isReadable && MISSING_LETTERS].filter(Boolean).join(' ');
		const picture = isReadable ? scene : addNote(map, note);
		return {
			png: async () => await toPng(picture, this.turn),
			svg,
			page: toPage(options.title, svg, scene),
			facts: {
				features: this.drawable + sum(this.leftOut.values()),
				drawn: chosen.length,
				note: note || (chosen.length > 0 ? '' : EMPTY),
			},
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

	private addFound(): void {
		for (const examine of this.found) this.add(examine());
		this.found = [];
	}

	private add(feature: MapFeature | Reason): void {
		if (typeof feature === 'string') {
			this.leftOut.set(feature, (this.leftOut.get(feature) ?? 0) + 1);
			return;
		}
		for (const name of Object.keys(feature.properties)) {
			if (this.columns.size < MAX_COLUMNS) this.columns.add(name);
		}
		if (this.drawable++ % this.stride !== 0) return;
		this.chosen.push(feature);
		this.positions += feature.positions;
		if (this.positions > MAX_POSITIONS) this.thin();
		while (this.chosen.length > 1 && this.isTooMuch()) {
			this.stride *= 2;
			this.keep(this.chosen.filter((_, place) => place % 2 === 0));
		}
	}

	private isTooMuch(): boolean {
		return this.chosen.length > MAX_FEATURES || this.positions > MAX_POSITIONS;
	}

	/** With room for more: otherwise, each feature to come would do it again. */
	private thin(): void {
		const unit = computeDegreesPerUnit(this.chosen, FRAME);
		for (const distance of DISTANCES) {
			this.keep(this.chosen.map((feature) => thin(feature, distance * unit)));
			if (this.positions < 0.8 * MAX_POSITIONS) return;
		}
	}

	private keep(features: MapFeature[]): void {
		this.chosen = features;
		this.positions = sum(features, ({ positions }) => positions);
	}

	private check({ column }: MapOptions): void {
		const { chosen, columns, leftOut } = this;
		const isOther = leftOut.size === 1 && leftOut.has(LEFT_OUT.other);
		const hasNothing = !this.isBlank && !this.reader.hasFound();
		if (this.drawable === 0 && (isOther || hasNothing)) throw new Error('the file is not GeoJSON');
		if (columns.size === MAX_COLUMNS) return;
		if (column === undefined || chosen.length === 0 || columns.has(column)) return;
		const names = [...columns].slice(0, 20).join(', ') || 'none';
		throw new Error(`no feature has the column "${column}". The columns are: ${names}`);
	}

	private note(): string {
		const { chosen, drawable } = this;
		const counted = (count: number) => count.toLocaleString('en');
		const reasons = [...this.leftOut]
			.sort(([, one], [, other]) => other - one)
			.map(([reason, count]) => `${counted(count)} ${reason}`);
		const notes = [
			chosen.length < drawable &&
				`${counted(chosen.length)} of ${counted(drawable)} features are drawn, chosen evenly.`,
			reasons.length > 0 && `Left out: ${reasons.join(', ')}.`,
			this.leftOut.has(LEFT_OUT.notDegrees) && TRANSFORM,
		];
		return notes.filter(Boolean).join(' ');
	}
}
