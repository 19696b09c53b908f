/**
 * Names, types and values in statements about tables, and the statement that creates one. No name, no type
 * and no value of a form becomes SQL.
 */
import { isGeometry, type Column } from '../sql/columns';
import { quoteName, tokenize, toTextLiteral, toTextValue } from '../sql/statements';

/** Why Spark cannot take a new name, as the end of a sentence about it. */
export function checkName(name: string): string | undefined {
	if (name.trim() === '') return 'must not be empty';
	return name.includes('${') ? 'must not contain ${: Spark substitutes variables there' : undefined;
}

/** What is wrong with the name of a new table: in SQL, what is before a period is its namespace. */
export function checkTableName(name: string): string | undefined {
	const period = 'must not contain a period: leave out the catalog and the namespace';
	const problems = [checkName(name), name.includes('.') && period];
	return problems.filter(Boolean).join(', and ') || undefined;
}

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

/** The name for a person's own statement, quoted only where it must be; null where Spark would read another name. */
export function toSqlName(catalog: string, namespace: string, table: string): string | null {
	const isPlain = (part: string) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(part);
	try {
		return [catalog, ...namespace.split('.'), table]
			.map((part) => (isPlain(part) ? part : quote(part)))
			.join('.');
	} catch {
		return null;
	}
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

const CLOSING: Record<string, string> = { '<': '>', '(': ')' };

/** Whether a text can be nothing but a type: one word, with numbers or other types in brackets. */
export function isType(text: string): boolean {
	// As other databases write it.
	if (/\(\s*max\s*\)/i.test(text)) return false;
	const open: string[] = [];
	let words = 0;
	for (const { kind, text: token } of tokenize(text)) {
		const isInside = open.length > 0;
		if (token in CLOSING) open.push(CLOSING[token]);
		else if (/^[>)]$/.test(token) ? open.pop() !== token : token.includes('${')) return false;
		else if (kind === 'word' && !isInside) words++;
		else if (!(isInside ? /^([>),:]|\s+|:?\w+|`.*`)$/s : /^[>)\s]+$/).test(token)) return false;
	}
	return open.length === 0 && words === 1 && /^[a-z]/i.test(text);
}

/** The type of a column, as a statement says it. */
export function toTypeText(column: Column): string {
	const { type, sqlType, srid, parts = [] } = column;
	if (isGeometry(column)) return srid === undefined ? 'GEOMETRY' : `GEOMETRY(${srid})`;
	if (parts.length === 0) return sqlType ?? type.toUpperCase();
	const inner = parts.map((part) =>
		type === 'struct' ? `${quote(part.name)}: ${toTypeText(part)}` : toTypeText(part),
	);
	return `${type === 'list' ? 'ARRAY' : type.toUpperCase()}<${inner.join(', ')}>`;
}

/** What Iceberg makes of further types of Spark. */
const SYNONYMS: Array<[RegExp, string]> = [
	[/\b(BYTE|INTEGER|SHORT|SMALLINT|TINYINT)\b/g, 'INT'],
	[/\bLONG\b/g, 'BIGINT'],
	[/\bREAL\b/g, 'FLOAT'],
	[/\b(VAR)?CHAR\(\d+\)/g, 'STRING'],
	[/\b(DEC|NUMERIC)\b/g, 'DECIMAL'],
	[/\bDECIMAL(?!\()/g, 'DECIMAL(10)'],
	[/\bDECIMAL\((\d+)\)/g, 'DECIMAL($1,0)'],
	[/\bTIMESTAMP_LTZ\b/g, 'TIMESTAMP'],
];

/** Whether tables have the same type for two texts: `array<decimal(10,2)>`, `ARRAY<NUMERIC(10, 2)>` */
export function isSameType(one: string, other: string): boolean {
	const [a, b] = [one, other].map((text) =>
		SYNONYMS.reduce(
			(type, [from, to]) => type.replace(from, to),
			text.toUpperCase().replace(/\s/g, ' ').replaceAll(' (', '('),
		),
	);
	return a.replace(/[\s`:]/g, '') === b.replace(/[\s`:]/g, '');
}

const TRANSFORM =
	/^(?:((?:bucket|truncate)\(\d{1,9},)|((?:years|months|days|hours)\())([^()]+)\)$/i;

/** Columns, or transforms of them, such as `country, bucket(16, id)`. @returns what is wrong, as the end of a sentence */
export function parsePartitions(text: string, names: string[]): string[] | string {
	const parts = text.match(/(?:[^,()]|\([^()]*\))+/g) ?? [];
	if (parts.join() !== text) return 'must have commas between columns, and closed parentheses';
	const partitions: string[] = [];
	for (const part of parts.map((each) => each.trim())) {
		const [, sized = '', plain = '', inner = part] = TRANSFORM.exec(part) ?? [];
		const name = inner.trim();
		const kind = /\(/.test(name) ? 'transform' : 'column';
		if (!names.includes(name)) return `has "${name}", which is not a ${kind}`;
		const begin = `${sized}${plain}`.replace(',', ', ');
		partitions.push(`${begin}${quote(name)}${begin && ')'}`);
	}
	return partitions;
}

export interface NewColumn {
	name: string;
	/** A type as `isType` takes it. */
	type: string;
	isRequired: boolean;
}

/** @param partitions as `parsePartitions` returns them @throws RangeError for a name that Spark cannot take */
export function buildCreate(table: string, columns: NewColumn[], partitions: string[]): string {
	const lines = columns.map(
		({ name, type, isRequired }) => `${quote(name)} ${type}${isRequired ? ' NOT NULL' : ''}`,
	);
	const by = partitions.length > 0 ? ` PARTITIONED BY (${partitions.join(', ')})` : '';
	return `CREATE TABLE ${table} (${lines.join(', ')})${by}`;
}
