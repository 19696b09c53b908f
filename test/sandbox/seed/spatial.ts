/** Tables of the demo with rows that statements find, and their entries in the catalogs. */
import { fieldsOf, type FieldDraft } from '../model/catalogs';
import type { Model } from '../server/environment';
import type { SpatialTable, Written } from '../sql/database';
import { DAY_MS } from '../time';
import demo from './demo.json';
import { Choices } from './random';
import { hailOfStorms } from './sql';
import { listStates } from './states';

const CITIES = demo.cities as Array<
	[name: string, country: string, population: number, x: number, y: number]
>;

/** Times as many as the storms of one map have: more rows than a query returns as items by default. */
const STORM_DAYS = 12;

const text = (value: string) => `'${value.replaceAll("'", "''")}'`;
const point = ([x, y]: number[]) => `public.ST_Point(${x}, ${y})`;

/** Hail, or the wind that came with each seventh of it: of that, no size was measured. */
function storms(now: number, isWind = false): string[] {
	const choices = new Choices(11);
	return Array.from({ length: STORM_DAYS }, () => hailOfStorms())
		.flat()
		.map(({ state, size, geometry }, at) => {
			const time = new Date(now - choices.next() * STORM_DAYS * DAY_MS).toISOString();
			const name = text(`${state}-${at + 1}`);
			const measured = isWind ? 'NULL' : size;
			return `(${at + 1}, ${name}, '${state}', ${measured}, '${time}', ${point(geometry.coordinates)})`;
		})
		.filter((_, at) => !isWind || at % 7 === 6);
}

function places(): string[] {
	const choices = new Choices(5);
	const near = (degrees: number, by: number) => degrees + (choices.next() - 0.5) * by;
	return Array.from({ length: 1_500 }, (_, at) => {
		const [, , , x, y] = choices.of(CITIES);
		return `('place-${at + 1}', ${point([near(x, 0.4), near(y, 0.3)])})`;
	});
}

const areas = () =>
	listStates().map(
		({ region, geometry }) =>
			`('area-${region}', 'US', '${region}', 'region', true, public.ST_GeomFromGeoJSON('${JSON.stringify(geometry)}'))`,
	);

const cities = () =>
	CITIES.map(
		([name, country, population, ...at], index) =>
			`(${index + 1}, ${text(name)}, '${country}', ${population}, ${point(at)})`,
	);

const KEY: FieldDraft = { name: 'id', type: 'long', required: true };
const OF_STORMS = [
	KEY,
	...fieldsOf('name string, state string, size double, observed_at timestamptz, geometry geometry'),
];
const OPEN_DATA = ['wherobots_open_data', 'overture_maps_foundation'];

/** The tables, with the rows of those that do not begin empty. */
const TABLES: Array<[path: string[], fields: FieldDraft[], rows?: (now: number) => string[]]> = [
	[
		['org_catalog', 'demo', 'cities'],
		[KEY, ...fieldsOf('name string, country string, population long, location geometry')],
		cities,
	],
	[['org_catalog', 'noaa', 'hail'], OF_STORMS, storms],
	[['org_catalog', 'noaa', 'wind'], OF_STORMS, (now) => storms(now, true)],
	[[...OPEN_DATA, 'places_place'], fieldsOf('id string, geometry geometry'), places],
	[
		[...OPEN_DATA, 'divisions_division_area'],
		fieldsOf(
			'id string, country string, region string, subtype string, is_land boolean, geometry geometry',
		),
		areas,
	],
	// What recipes write to.
	[
		['org_catalog', 'surveys', 'reports'],
		fieldsOf('address string, note string, reported_at timestamptz, location geometry'),
	],
	[
		['org_catalog', 'surveys', 'sites'],
		fieldsOf('site string, status string, reported_at timestamptz, location geometry'),
	],
	[
		['org_catalog', 'partners', 'stations'],
		fieldsOf('station string, name string, opened date, location geometry'),
	],
];

/** @param now the end of the time that the rows are from, in Unix milliseconds */
export function spatialTables(now: number): SpatialTable[] {
	return TABLES.map(([path, fields, rows]) => ({ path, fields, rows: rows?.(now) }));
}

/** What else the catalogs of the demo have when its statements are executed. */
export function seedSpatialCatalogs({ store: { catalogs }, clock }: Model): void {
	const now = clock.now();
	catalogs.create({ id: 'cat-open', name: OPEN_DATA[0] });
	for (const [[of, namespace, name], fields, rows] of TABLES) {
		const catalog = catalogs.all().find((each) => each.name === of);
		if (!catalog) throw new Error(`There is no catalog ${of}`);
		const known = catalog.namespaces.get(namespace)?.entries.get(name);
		if (known) {
			known.fields = fields;
			continue;
		}
		const rowCount = rows?.(now).length ?? 0;
		catalogs.addTable(catalog, namespace, { name, updateTime: now - DAY_MS, rowCount, fields });
	}
}

/** A statement that writes to a table of the demo makes a snapshot of it. */
export function commitTo({ store: { catalogs } }: Model, path: string, change: Written) {
	const table = catalogs.tableNamed(path);
	return table && catalogs.commit(table, change);
}
