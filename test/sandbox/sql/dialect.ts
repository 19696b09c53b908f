/** Statements of Spark, as PostgreSQL understands them; what both have in common stays as it is. */

/** What tables are called in the database, by the names that statements may use, in small letters. */
export type KnownTables = ReadonlyMap<string, string>;

const TOKENS =
	/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`]|``)*`|--[^\n]*|\/\*[\s\S]*?\*\/|[\p{L}\p{N}_$]+|\s+|./gsu;

const ESCAPES: Record<string, string> = { n: '\n', t: '\t', r: '\r', '0': '\0', b: '\b' };

/** Syntax that differs; what stands in texts is rarely like it. */
const SYNTAX: Array<[RegExp, string]> = [
	// Here, a table has one version; `database.ts` knows which rows were added to it.
	[/\b(system_)?version\s+as\s+of\s+('[^']*'|\d+)/gi, ''],
	[/\btimestamp\s+as\s+of\s+'[^']*'/gi, ''],
	[/\busing\s+(iceberg|havasu|parquet)\b/gi, ''],
	[/\b(current_timestamp|current_date)\s*\(\s*\)/gi, '$1'],
	[/\btimestamp\s*(?=')/gi, 'timestamptz '],
	[/\binterval\s+(\d+)\s+(\w+)/gi, "interval '$1 $2'"],
	[/\bas\s+binary\b/gi, 'as bytea'],
	[/\bas\s+timestamp\)/gi, 'as timestamptz)'],
	[/\bas\s+float\)/gi, 'as real)'],
	[
		/\btry_cast\((.*?) as (\w+(?:\(\d+, ?\d+\))?)\)/gis,
		"(case when is_castable($1, '$2') then cast($1 as $2) end)",
	],
	// Rows of files, as Load File reads them: `fileViews.ts` has made tables of them.
	[/\binput_file_name\(\)/gi, '"input_file_name()"'],
	[/\bthen null end as (d|f) from\b/gi, 'then null end as $1, "input_file_name()" from'],
	[/\bas value from (\S+)\)/gi, 'as value, "input_file_name()" from $1)'],
	[
		/\bselect each\.properties as f, each\.geometry from\b/gi,
		`select nullif(each->'properties', 'null') as f, nullif(each->'geometry', 'null')::text as geometry, "input_file_name()" from`,
	],
	[
		/\blateral view explode\(coalesce\(d\.features, .*?\)\)\) v as each\b/gi,
		"cross join lateral jsonb_array_elements(coalesce(nullif(d->'features', 'null'), jsonb_build_array(d))) as each",
	],
	[/\beach\.type\b/gi, "(each->>'type')"],
	[/\bto_json\(each\)/gi, 'each::text'],
	[/\bto_json\(collect_set\((\w+)\)\)/gi, "coalesce(json_agg(distinct $1)::text, '[]')"],
	[
		/^\s*insert\s+into\s+(.+?)\s+replace\s+where\s+true\s/is,
		'with gone as (delete from $1) insert into $1 ',
	],
	// As the rows of Insert Rows are written: texts by their bytes, and a table without parentheses.
	[/\bcast\(x'([\da-f]*)' as string\)/gi, "convert_from(decode('$1', 'hex'), 'utf8')"],
	[/\bfrom values (.*) as v\(([^)]*)\)/gis, 'from (values $1) as v($2)'],
	[/\bf\[('(?:[^']|'')*'|convert_from\([^\]]*\))\]/g, '(f->>$1)'],
	// The same in a file: its lines are the first parameter.
	[/\bfrom text\."[^"]*"/gi, 'from unnest($1::text[]) as lines(value)'],
	[/\bfrom_json\(value, '[^']*', map\('mode', 'FAILFAST'\)\)/g, 'value::jsonb'],
	[/\bv\[(\d+)\]/g, '(v->>$1)'],
	// Numbers that are no decimals; a name may have what is like one.
	[/("[^"]*")|\b(\d[\d.]*(?:e[+-]?\d+)?)d\b/gi, '$1$2'],
	[/<=>/g, 'is not distinct from'],
	[/\s+not\s+rlike\s/gi, ' !~ '],
	[/\s+rlike\s/gi, ' ~ '],
	[/;\s*$/, ''],
	[/^\s*show\s+catalogs\s*$/i, "SELECT DISTINCT catalog FROM tables_in('')"],
	[
		/^\s*show\s+(?:schemas|databases|namespaces)(?:\s+(?:in|from)\s+(\S+))?\s*$/i,
		"SELECT DISTINCT namespace FROM tables_in('$1')",
	],
	[
		/^\s*show\s+tables(?:\s+(?:in|from)\s+(\S+))?\s*$/i,
		`SELECT namespace, "tableName", "isTemporary" FROM tables_in('$1')`,
	],
];

export function toPostgres(statement: string, tables: KnownTables): string {
	const tokens = statement.match(TOKENS) ?? [];
	const written: string[] = [];
	for (let at = 0; at < tokens.length; ) {
		const length = tokens[at - 1] === '.' ? 1 : nameLength(tokens, at, tables);
		const name = tokens
			.slice(at, at + length)
			.map(unquoted)
			.join('')
			.toLowerCase();
		written.push(tables.get(name) ?? translated(tokens[at]));
		at += tables.has(name) ? length : 1;
	}
	return SYNTAX.reduce((text, [from, to]) => text.replace(from, to), written.join(''));
}

/** How many tokens the longest known name has that begins here, with its dots; 1 for none. */
function nameLength(tokens: string[], at: number, tables: KnownTables): number {
	const isKnown = (length: number) =>
		tables.has(
			tokens
				.slice(at, at + length)
				.map(unquoted)
				.join('')
				.toLowerCase(),
		);
	return [5, 3, 1].find(isKnown) ?? 1;
}

/** A name without its backticks, if it has any. */
export const unquoted = (name: string): string =>
	name.startsWith('`') ? name.slice(1, -1).replaceAll('``', '`') : name;

/** A name as PostgreSQL has it. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

function translated(token: string): string {
	if (token.startsWith('`')) return quoted(unquoted(token));
	if (!/^(['"]).*\1$/s.test(token)) return token;
	const text = token
		.slice(1, -1)
		.replace(/\\(u[0-9a-f]{4}|.)/gis, (_, code: string) =>
			code.length > 1 ? String.fromCharCode(parseInt(code.slice(1), 16)) : (ESCAPES[code] ?? code),
		);
	return `'${text.replaceAll("'", "''")}'`;
}
