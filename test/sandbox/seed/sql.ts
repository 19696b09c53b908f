/** Answers to statements that people may try in the demo. */
import type { CatalogStore } from '../model/catalogs';
import type { SqlBox } from '../sql';
import { Choices } from './random';

const point = (x: number, y: number) => ({ type: 'Point', coordinates: [x, y] });

const CITIES = [
	{ id: 1n, name: 'Seattle', population: 737_015n, location: point(-122.3321, 47.6062) },
	{ id: 2n, name: 'Bonn', population: 340_000n, location: point(7.0982, 50.7374) },
	{ id: 3n, name: 'Kaş', population: 60_839n, location: point(29.6417, 36.2018) },
];

const HAIL_BY_STATE = [
	{ state: 'TX', events: 214n, largest: 70.5 },
	{ state: 'KS', events: 98n, largest: 44.5 },
	{ state: 'CO', events: 61n, largest: 51 },
];

const HAIL = [
	{ name: 'Lubbock', size: 70.5, geometry: point(-101.8552, 33.5779) },
	{ name: 'Wichita', size: 44.5, geometry: point(-97.3301, 37.6872) },
	{ name: 'Denver', size: 51, geometry: point(-104.9903, 39.7392) },
	{ name: 'Amarillo', size: 22.5, geometry: point(-101.8313, 35.222) },
];

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

/** @param catalogs whose tables get a snapshot when something is inserted, which the trigger sees */
export function seedSql(sql: SqlBox, catalogs: CatalogStore): void {
	sql.answer(/^select \* from (org_catalog\.)?(demo\.)?cities;?$/i, {
		rows: CITIES,
		geometryColumns: ['location'],
		seconds: 2,
	});
	// The placeholder of the form, with a number in place of its parameter.
	sql.answer(
		/^select name, geometry from org_catalog\.noaa\.hail( where size > [\d.]+)?( limit \d+)?;?$/i,
		(statement) => {
			const [, least = '0'] = /> ([\d.]+)/.exec(statement) ?? [];
			const [, most = '1000'] = /limit (\d+)/i.exec(statement) ?? [];
			const found = HAIL.filter(({ size }) => size > Number(least)).slice(0, Number(most));
			return {
				columns: ['name', 'geometry'],
				rows: found.map(({ name, geometry }) => ({ name, geometry })),
				geometryColumns: ['geometry'],
				seconds: 1,
			};
		},
	);
	// What Table: Get Rows writes for the table in the catalog; only its limit has an effect here.
	sql.answer(/^select .+ from `org_catalog`\.`noaa`\.`hail`/i, (statement) => {
		const [, most = '1000'] = /limit (\d+)$/i.exec(statement) ?? [];
		const found = HAIL.slice(0, Number(most)).map(({ size, geometry }, at) => ({
			id: BigInt(at + 1),
			observed_at: `2026-11-20T0${at}:00:00Z`,
			geometry,
			'größe (mm)': size,
		}));
		return { rows: found, geometryColumns: ['geometry'] };
	});
	sql.answer(/^select 1( as (one|`?1`?))?;?$/i, { rows: [{ '1': 1 }] });
	sql.answer(/^show (schemas|databases|namespaces)( in \w+)?;?$/i, {
		rows: [{ namespace: 'demo' }],
	});
	sql.answer(/^show tables( in [\w.]+)?;?$/i, {
		rows: [{ namespace: 'demo', tableName: 'cities', isTemporary: false }],
	});
	sql.answer(/^select state, .+\sfrom org_catalog\.noaa\.hail\s.+\sgroup by state\s/is, {
		rows: HAIL_BY_STATE,
		seconds: 3,
	});
	sql.answer(/^select state, size, geometry\s+from org_catalog\.noaa\.hail\s+where event_time /i, {
		rows: hailOfStorms(),
		geometryColumns: ['geometry'],
		seconds: 3,
	});
	sql.answer(/^(create|drop|insert|update|delete|merge)\b/i, { seconds: 3 });
	sql.answer(/^insert into /i, (statement) => ({
		seconds: 3,
		changes() {
			const [, name = ''] = /^insert into ([\w`.]+)/i.exec(statement) ?? [];
			const table = catalogs.tableNamed(name);
			if (table) catalogs.commit(table, { addedRows: 1 });
		},
	}));
	seedLiveCheck(sql);
}

/** What `npm run live` sends. */
export function seedLiveCheck(sql: SqlBox): void {
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
