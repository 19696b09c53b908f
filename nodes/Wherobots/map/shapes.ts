/** In units from the upper left corner of a picture. */
export type Point = [x: number, y: number];

export interface Path {
	/** A ring of one point is a dot as wide as the stroke. */
	rings: Point[][];
	/** Colors are #rrggbb. A path with a fill is closed; the area inside two of its rings is a hole. */
	fill?: string;
	/** From 0 to 1; default 1. */
	'fill-opacity'?: number;
	stroke?: string;
	'stroke-width'?: number;
	/** Tooltip of the shape. */
	title?: string;
}

export interface Text {
	text: string;
	/** Start, middle or end of the baseline. */
	at: Point;
	/** Height of the font. */
	size: number;
	anchor: 'start' | 'middle' | 'end';
}

/** Color of the texts. */
export const INK = '#333333';

/** A picture: its shapes from back to front. */
export interface Scene {
	width: number;
	height: number;
	shapes: Array<Path | Text>;
}

/** The edges of a part of the picture. */
export interface Frame {
	left: number;
	top: number;
	right: number;
	bottom: number;
}

/** Where degrees are `at`, and `from` where `to` a frame shows them, also beyond 180° and the poles. */
export interface Axis {
	at: (degrees: number) => number;
	from: number;
	to: number;
}

/** Mean length of a degree of latitude. */
export const KM_PER_DEGREE = 111.195;

export function getCorners({ left, top, right, bottom }: Frame): Point[] {
	return [
		[left, top],
		[right, top],
		[right, bottom],
		[left, bottom],
	];
}
