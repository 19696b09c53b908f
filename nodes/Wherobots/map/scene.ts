export type Point = [x: number, y: number];

/** A part of a picture, in units from its upper left corner. */
export type Shape = Path | Text;

export interface Path {
	kind: 'path';
	/** A ring of one point is a dot as wide as the stroke. */
	rings: Point[][];
	/** Colours are #rrggbb. A path with a fill is closed; what two of its rings cover is a hole. */
	fill?: string;
	/** Of the fill, from 0 to 1; default 1. */
	opacity?: number;
	stroke?: string;
	width?: number;
	/** Shown by a viewer for the shape under the pointer. */
	title?: string;
}

export interface Text {
	kind: 'text';
	/** Where the base line begins, has its middle or ends. */
	at: Point;
	text: string;
	/** Height of the font. */
	size: number;
	anchor: 'start' | 'middle' | 'end';
	colour: string;
}

/** A picture: what it consists of, back to front. */
export interface Scene {
	width: number;
	height: number;
	shapes: Shape[];
}
