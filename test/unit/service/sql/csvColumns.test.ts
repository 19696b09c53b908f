import { csvAdvice } from '../../../../nodes/Wherobots/procedures/sql/problems';

const error = (column: string, type: string) =>
	`[UNSUPPORTED_DATA_TYPE_FOR_DATASOURCE] The CSV datasource doesn't support the column \`${column}\` of the type "${type}".`;

it.each([
	['g', 'BINARY', 'ST_AsText(`g`) for geometries, base64(`g`) for other bytes'],
	['a geometry', 'GEOMETRY', 'ST_AsText(`a geometry`)'],
	['geometry_tags', 'ARRAY<STRING>', 'to_json(`geometry_tags`)'],
	['a``b', 'MAP<STRING, INT>', 'to_json(`a``b`)'],
	['s', 'STRUCT<x: INT>', 'to_json(`s`)'],
	['n', 'VOID', 'CAST(`n` AS STRING)'],
])('says how a CSV file can hold the column %s of type %s', (column, type, use) =>
	expect(csvAdvice(error(column, type))).toBe(
		`A CSV file cannot hold the column \`${column}\` as it is: in the query, use ${use}.`,
	),
);

it('helps with geometries however the error puts it', () => {
	expect(csvAdvice('Geometry is not supported')).toContain('use ST_AsText(column)');
});

it.each([
	'[TABLE_OR_VIEW_NOT_FOUND] The table or view `t` cannot be found.',
	'[COLUMN_NOT_FOUND] the column `a`',
])('has nothing to say of another error: %s', (message) =>
	expect(csvAdvice(message)).toBeUndefined(),
);
