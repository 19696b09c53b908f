/** Names and values in statements about tables. No name and no value of a form becomes SQL. */
import { isGeometry, type Column } from '../sql/columns';
import { quoteName, toTextLiteral, toTextValue } from '../sql/statements';

/** Why Spark cannot take a new name, as the end of a sentence about it. */
export function checkName(name: string): string | undefined {
	if (name.trim() === '') return 'must not be empty';
	return name.includes('${') ? 'must not contain ${: Spark substitutes variables there' : undefined;
}

/** The same of a new table: in SQL, what is before a period is its namespace. */
export const checkTableName = (name: string) =>
	checkName(name) ??
	(name.includes('.')
		? 'must not contain a period: leave out the catalog and the namespace'
		: undefined);

/** A name in backticks. @throws RangeError for one that Spark would read differently */
export function quote(name: string): string {
	if (!name.isWellFormed() || name.includes('${') || name === '') {
		throw new RangeError(
			`The name ${JSON.stringify(name)} cannot be used: Spark substitutes \${…}`,
		);
	}
	return quoteName(name);
}

/** The name of a table: the levels of its namespace are separated by periods. */
export function toTableName(catalog: string, namespace: string, table: string): string {
	return [catalog, ...namespace.split('.'), table].map(quote).join('.');
}

/** A text as a literal. @throws RangeError for an unpaired surrogate */
export function toLiteral(text: string): string {
	const sql = toTextLiteral(text);
	if (sql === undefined)
		throw new RangeError('A value contains an invalid character (an unpaired surrogate)');
	return sql;
}

/** A text in quotes, where the grammar takes nothing else. @throws RangeError for one that settings of Spark read differently */
export function toQuoted(text: string): string {
	const { quoted } = toTextValue(text) ?? {};
	if (quoted === undefined)
		throw new RangeError(`${JSON.stringify(text)} cannot be part of a statement`);
	return quoted;
}

/** A text as the type of a column. */
export function castTo(text: string, column: Column): string {
	const { sqlType, srid } = column;
	if (isGeometry(column)) {
		return srid === undefined ? `ST_GeomFromEWKT(${text})` : `ST_GeomFromWKT(${text}, ${srid})`;
	}
	if (sqlType === 'STRING') return text;
	return sqlType === 'BINARY' ? `unbase64(${text})` : `CAST(${text} AS ${sqlType})`;
}
