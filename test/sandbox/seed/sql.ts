/** What the demo suggests to execute, and what `npm run live` does. */
import type { SqlService } from '../sql';
import { Choices } from './random';

const point = (x: number, y: number) => ({ type: 'Point', coordinates: [x, y] });

/** Where storms began, and where they went: longitude and latitude in degrees. */
const STORMS = [
	{ state: 'TX', from: [-102.4, 32.9], to: [-99.1, 34.6] },
	{ state: 'OK', from: [-99.8, 35.1], to: [-96.9, 36.8] },
	{ state: 'KS', from: [-100.9, 37.6], to: [-96.2, 39.3] },
	{ state: 'CO', from: [-105.1, 38.9], to: [-102.5, 40.1] },
	{ state: 'NE', from: [-101.7, 40.4], to: [-97.8, 41.6] },
];

/** Hail along the paths of the storms, largest in the middle of each; sizes are in millimeters. */
export function hailOfStorms() {
	const choices = new Choices(7);
	const off = (degrees: number) => (choices.next() + choices.next() - 1) * degrees;
	return STORMS.flatMap(({ state, from, to }) =>
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

/** What `npm run live` sends. */
export function seedLiveCheck(sql: SqlService): void {
	const geometry = point(7.1, 50.7);
	sql.answer('SELECT 1 AS number, "a" AS letter', { rows: [{ number: 1, letter: 'a' }] });
	sql.answer('SELECT ST_Point(7.1, 50.7) AS geometry', {
		rows: [{ geometry }],
		geometryColumns: ['geometry'],
	});
	sql.answer('SELECT ST_Point(7.1, 50.7) AS geometry, 1 AS number', {
		rows: [{ geometry, number: 1 }],
		geometryColumns: ['geometry'],
	});
	sql.answer('SELECT explode(sequence(1, 1500)) AS number', {
		rows: Array.from({ length: 1_500 }, (_, at) => ({ number: at + 1 })),
	});
	sql.answer('SELECT 1 AS number WHERE 1 = 0', { columns: ['number'], rows: [] });
	sql.answer("SELECT 'it''s' AS doubled, 'it\\'s' AS escaped", {
		rows: [{ doubled: 'its', escaped: "it's" }],
	});
	sql.answer('CREATE OR REPLACE TEMPORARY VIEW n8n_live_check AS SELECT 1 AS number', {});
	sql.answer('SELECT 2 AS number', { rows: [{ number: 2 }] });
	sql.answer('SELECT count(*) AS number FROM range(1000000000000)', {
		rows: [{ number: 1_000_000_000_000n }],
		seconds: 3_600,
	});
}
