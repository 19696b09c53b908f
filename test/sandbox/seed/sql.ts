/** Statements that a person may try in the demo. */
import type { SqlBox } from '../sql';

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

export function seedSql(sql: SqlBox): void {
	sql.answer(/^select \* from (org_catalog\.)?(demo\.)?cities;?$/i, {
		rows: CITIES,
		geometryColumns: ['location'],
		seconds: 2,
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
	sql.answer(/^(create|drop|insert|update|delete|merge)\b/i, { seconds: 3 });
}
