/** Tables of the demo with rows that statements find, and their entries in the catalogs. */
import { fieldsOf } from '../model/catalogs';
import type { Model } from '../server/environment';
import type { SpatialTables, Written } from '../sql/database';
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

function hail(now: number): string[] {
	const choices = new Choices(11);
	return Array.from({ length: STORM_DAYS }, () => hailOfStorms())
		.flat()
		.map(({ state, size, geometry }, at) => {
			const time = new Date(now - choices.next() * STORM_DAYS * DAY_MS).toISOString();
			const name = text(`${state}-${at + 1}`);
			return `(${at + 1}, '${time}', ${point(geometry.coordinates)}, ${size}, ${name}, '${state}', ${size}, '${time}')`;
		});
}

function places(): string[] {
	const choices = new Choices(5);
	const near = (degrees: number, by: number) => degrees + (choices.next() - 0.5) * by;
	return Array.from({ length: 1_500 }, (_, at) => {
		const [, , , x, y] = choices.of(CITIES);
		return `('place-${at + 1}', ${point([near(x, 0.4), near(y, 0.3)])})`;
	});
}

const states = () =>
	listStates().map(
		({ region, geometry }) =>
			`('area-${region}', 'US', '${region}', 'region', true, public.ST_GeomFromGeoJSON('${JSON.stringify(geometry)}'))`,
	);

/** @param now the end of the time that the rows are from, in Unix milliseconds */
export function spatialTables(now: number): SpatialTables {
	const [cities, storms, overture] = ['org_catalog.demo', 'org_catalog.noaa', OPEN_DATA];
	const [surveys, partners] = ['org_catalog.surveys', 'org_catalog.partners'];
	const columns = `id bigint, observed_at timestamptz, geometry geometry, "größe (mm)" double precision, name text, state text, size double precision, event_time timestamptz`;
	const ofCities = CITIES.map(
		([name, country, population, ...at], index) =>
			`(${index + 1}, ${text(name)}, '${country}', ${population}, ${point(at)})`,
	);
	return {
		setUp: `
CREATE SCHEMA "${cities}"; CREATE SCHEMA "${storms}"; CREATE SCHEMA "${overture}"; CREATE SCHEMA "${surveys}"; CREATE SCHEMA "${partners}";
CREATE TABLE "${surveys}".reports (address text, note text, reported_at timestamptz, location geometry);
CREATE TABLE "${surveys}".sites (site text, status text, reported_at timestamptz, location geometry);
CREATE TABLE "${partners}".stations (station text, name text, opened date, location geometry);
CREATE TABLE "${cities}".cities (id bigint, name text, country text, population bigint, location geometry);
INSERT INTO "${cities}".cities VALUES ${ofCities.join(', ')};
CREATE TABLE "${storms}".hail (${columns});
INSERT INTO "${storms}".hail VALUES ${hail(now).join(', ')};
CREATE TABLE "${storms}".wind (${columns});
INSERT INTO "${storms}".wind SELECT id, observed_at, geometry, NULL, name, state, size, event_time FROM "${storms}".hail WHERE id % 7 = 0;
CREATE TABLE "${overture}".places_place (id text, geometry geometry);
INSERT INTO "${overture}".places_place VALUES ${places().join(', ')};
CREATE TABLE "${overture}".divisions_division_area (id text, country text, region text, subtype text, is_land boolean, geometry geometry);
INSERT INTO "${overture}".divisions_division_area VALUES ${states().join(', ')};`,
		names: new Map(
			[
				['org_catalog.demo.cities', `"${cities}".cities`],
				['org_catalog.noaa.hail', `"${storms}".hail`],
				['org_catalog.noaa.wind', `"${storms}".wind`],
				['org_catalog.surveys.reports', `"${surveys}".reports`],
				['org_catalog.surveys.sites', `"${surveys}".sites`],
				['org_catalog.partners.stations', `"${partners}".stations`],
				...['places_place', 'divisions_division_area'].map((name) => [
					`${OPEN_DATA}.${name}`,
					`"${overture}".${name}`,
				]),
			].flatMap(([path, name]) => [
				[path, name],
				// The catalog of the organization is the default.
				...(path.startsWith('org_catalog.') ? [[path.slice('org_catalog.'.length), name]] : []),
			]) as Array<[string, string]>,
		),
	};
}

const OPEN_DATA = 'wherobots_open_data.overture_maps_foundation';

/** What else the catalogs of the demo have when its statements are executed. */
export function seedSpatialCatalogs({ store, clock }: Model): void {
	const { catalogs } = store;
	const managed = catalogs.get('cat-org');
	if (!managed) throw new Error('There is no catalog cat-org');
	const ofStorms = fieldsOf('name string, state string, size double, event_time timestamptz');
	for (const name of ['hail', 'wind']) {
		const table = managed.namespaces.get('noaa')?.entries.get(name);
		if (table) table.fields = [...table.fields, ...ofStorms];
	}
	const updateTime = clock.now() - DAY_MS;
	catalogs.addTable(managed, 'demo', {
		name: 'cities',
		updateTime,
		rowCount: CITIES.length,
		fields: [
			{ name: 'id', type: 'long', required: true },
			...fieldsOf('name string, country string, population long, location geometry'),
		],
	});
	// What recipes write to.
	for (const [namespace, name, fields] of [
		[
			'surveys',
			'reports',
			'address string, note string, reported_at timestamptz, location geometry',
		],
		['surveys', 'sites', 'site string, status string, reported_at timestamptz, location geometry'],
		['partners', 'stations', 'station string, name string, opened date, location geometry'],
	]) {
		catalogs.addTable(managed, namespace, { name, updateTime, fields: fieldsOf(fields) });
	}
	const open = catalogs.create({ id: 'cat-open', name: 'wherobots_open_data' });
	catalogs.addTable(open, 'overture_maps_foundation', {
		name: 'places_place',
		updateTime,
		rowCount: 1_500,
		fields: fieldsOf('id string, geometry geometry'),
	});
	catalogs.addTable(open, 'overture_maps_foundation', {
		name: 'divisions_division_area',
		updateTime,
		rowCount: listStates().length,
		fields: fieldsOf(
			'id string, country string, region string, subtype string, is_land boolean, geometry geometry',
		),
	});
}

/** A statement that writes to a table of the demo makes a snapshot of it. */
export function commitTo({ store: { catalogs } }: Model, path: string, change: Written) {
	const table = catalogs.tableNamed(path);
	return table && catalogs.commit(table, change);
}
