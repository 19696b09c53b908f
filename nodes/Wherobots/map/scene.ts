export type Point = [x: number, y: number];

/** A part of a picture, in units from its upper left corner. */
export type Shape = Path | Text;

export interface Path {
	kind: 'path';
	/** A ring of one point is a dot as wide as the stroke. */
	rings: Point[][];
	/** Colors are #rrggbb. A path with a fill is closed; the area inside two of its rings is a hole. */
	fill?: string;
	/** Of the fill, from 0 to 1; default 1. */
	opacity?: number;
	stroke?: string;
	width?: number;
	/** Tooltip of the shape. */
	title?: string;
}

export interface Text {
	kind: 'text';
	/** Start, middle or end of the baseline. */
	at: Point;
	text: string;
	/** Height of the font. */
	size: number;
	anchor: 'start' | 'middle' | 'end';
	color: string;
}

/** A picture: its shapes from back to front. */
export interface Scene {
	width: number;
	height: number;
	shapes: Shape[];
}
