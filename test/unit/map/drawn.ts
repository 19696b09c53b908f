import type { IDataObject } from 'n8n-workflow';

import { MapMaker } from '../../../nodes/Wherobots/map';

type Coordinates = unknown;

export const turn = async () => await Promise.resolve();

export const feature = (type: string, coordinates: Coordinates, properties: IDataObject = {}) => ({
	type: 'Feature',
	geometry: { type, coordinates },
	properties,
});
/** Positions from a text: `7 50, 8 51`. */
export const positions = (text: string) =>
	text.split(',').map((pair) => pair.trim().split(' ').map(Number) as [number, number]);

/** A closed ring around a box. */
export const ring = (west: number, south: number, east: number, north: number) => [
	...positions(`${west} ${south}, ${east} ${south}, ${east} ${north}, ${west} ${north}`),
	[west, south],
];

export const point = (longitude: number, latitude: number, properties?: IDataObject) =>
	feature('Point', [longitude, latitude], properties);
export const collection = (features: unknown[]) =>
	JSON.stringify({
		type: 'FeatureCollection',
		crs: { properties: { name: 'a "}" b' } },
		features,
		bbox: [1, 2],
	});
export const lines = (features: unknown[]) =>
	features.map((each) => JSON.stringify(each)).join('\n');

/** The map of a file that arrives in blocks of a size, and what went through. */
export async function drawn(
	text: string,
	{
		column = undefined as string | undefined,
		title = 'Hail',
		block = 64_000,
		background = false,
	} = {},
) {
	const maker = new MapMaker(turn);
	const file = Buffer.from(text);
	async function* blocks() {
		for (let at = 0; at < file.length; at += block) yield file.subarray(at, at + block);
	}
	const passed: Uint8Array[] = [];
	for await (const each of maker.watch(blocks())) passed.push(each);
	expect(Buffer.concat(passed).equals(file)).toBe(true);
	return maker.draw({ title, column, background });
}

/** What a pattern with a group finds in a text. */
export const findAll = (text: string, pattern: RegExp) =>
	[...text.matchAll(pattern)].map(([, found]) => found);

/** All texts of a map. */
export const textsOf = ({ svg }: { svg: string }) => findAll(svg, /<text [^>]*>([^<]*)</g);

/** The points of the paths with this title, as numbers. */
export function placesOf({ svg }: { svg: string }, title: string): number[][][] {
	const paths = [...svg.matchAll(/<path d="([^"]*)"[^>]*><title>([^<]*)<\/title>/g)];
	return paths
		.filter(([, , of]) => of === title)
		.map(([, d]) => [...d.matchAll(/(-?[\d.]+) (-?[\d.]+)/g)].map(([, x, y]) => [+x, +y]));
}

/** The labels beside boxes of a color. */
export const legendOf = ({ svg }: { svg: string }) =>
	findAll(svg, /Z" fill="#\w+"><title><\/title><\/path>\n<text [^>]*>([^<]*)</g);
