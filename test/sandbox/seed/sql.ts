/** What the demo suggests to execute. */
import demo from './demo.json';
import { Choices } from './random';

const point = (x: number, y: number) => ({ type: 'Point', coordinates: [x, y] });

/**
 * Hail along the paths of the storms, from where they began to where they went in degrees of longitude
 * and latitude, largest in the middle of each; sizes are in millimeters.
 */
export function hailOfStorms() {
	const choices = new Choices(7);
	const off = (degrees: number) => (choices.next() + choices.next() - 1) * degrees;
	return demo.storms.flatMap(({ state, from, to }) =>
		Array.from({ length: choices.between(25, 60) }, () => {
			const along = choices.next();
			const [x, y] = from.map((start, axis) => start + along * (to[axis] - start) + off(0.35));
			const size = 20 + Math.round(12 * along * (1 - along) * choices.between(4, 16));
			return { state, size, geometry: point(Number(x.toFixed(4)), Number(y.toFixed(4))) };
		}),
	);
}

/** The statements that the demo suggests at its start. */
export const SQL_EXAMPLES = [
	'SELECT name, population FROM demo.cities WHERE population > 1000000',
	'SELECT name, size, geometry FROM org_catalog.noaa.hail WHERE size > 50',
	'SELECT state, COUNT(*) AS events, MAX(size) AS largest FROM org_catalog.noaa.hail GROUP BY state',
];
