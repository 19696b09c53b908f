/** What the columns of a CSV file may be. */

const UNSUITABLE = /\bcolumn\s+(`(?:[^`]|``)+`)\s+of the type\s+"?(\w+)/i;

/** By the type that Spark names, what to write instead of a column. */
const CASTS: Record<string, (column: string) => string> = {
	BINARY: (column) => `ST_AsText(${column}) for geometries, base64(${column}) for other bytes`,
	GEOMETRY: (column) => `ST_AsText(${column})`,
	GEOGRAPHY: (column) => `ST_AsText(${column})`,
	ARRAY: (column) => `to_json(${column})`,
	MAP: (column) => `to_json(${column})`,
	STRUCT: (column) => `to_json(${column})`,
};

/** What to do about a column that a CSV file cannot hold; undefined when an error says nothing of one. */
export function csvAdvice(error: string): string | undefined {
	const [, column, type = ''] = UNSUITABLE.exec(error) ?? [];
	if (column !== undefined) {
		const cast = CASTS[type.toUpperCase()] ?? ((name: string) => `CAST(${name} AS STRING)`);
		return `A CSV file cannot hold the column ${column} as it is: in the query, use ${cast(column)}.`;
	}
	return /geometry/i.test(error)
		? 'CSV files cannot contain geometries: use ST_AsText(column) in the query, or GeoJSON.'
		: undefined;
}
