/** The statements that write rows into a table. */
import { isNested, type Column } from '../sql/columns';
import { quote } from './names';
import { castCells, type RowSource } from './rowSource';

/** The statement that inserts rows. Every column is named: an engine may refuse rows without one. */
export function buildInsert(table: string, columns: Column[], source: RowSource): string {
	const values = castCells(columns, source).join(', ');
	return `INSERT INTO ${table} (${listNames(columns)}) SELECT ${values} FROM ${source.from}`;
}

/** What becomes of rows with a key that the table has, and of those with one that it lacks. */
export interface Merge {
	/** Where the columns of the key are among all. */
	keys: number[];
	/** The columns to update; none to leave rows as they are, which only goes with `insert`. */
	updated: Updated[];
	ifMissing: IfMissing;
}

export interface Updated {
	at: number;
	/** Whether some rows have no value for it: what the table has then stays. */
	isPartial: boolean;
}

export type IfMissing = 'fail' | 'insert' | 'leave';

/** Whether equal values of a column are equal keys, for an engine as for people. */
export function isKey(column: Column): boolean {
	const { sqlType } = column;
	return sqlType !== undefined && !/^(FLOAT|DOUBLE)$/.test(sqlType) && !isNested(column);
}

/** How the error begins of a row whose key is not in the table, before the row's number. */
export const MISSING_KEY = 'The table has no row for item ';

/**
 * The statement that updates rows and inserts those that are missing. Repeated, it changes nothing more.
 *
 * @param source rows with two more cells: the row's number, and for each column 1 or 0, whether it has a
 * value for it
 */
export function buildMerge(
	table: string,
	columns: Column[],
	source: RowSource,
	{ keys, updated, ifMissing }: Merge,
): string {
	const cells = castCells(columns, source).map((value, at) => `${value} AS c${at}`);
	const number = `${source.getCell(columns.length)} AS number`;
	const given = `${source.getCell(columns.length + 1)} AS given`;
	const names = columns.map(({ name }) => quote(name));
	const on = keys.map((at) => `t.${names[at]} = s.c${at}`).join(' AND ');
	const changes = updated.map(({ at, isPartial }) => {
		const kept = `CASE WHEN substr(s.given, ${at + 1}, 1) = '1' THEN s.c${at} ELSE t.${names[at]} END`;
		return `${names[at]} = ${isPartial ? kept : `s.c${at}`}`;
	});
	// Without a first clause, an engine would try this condition on all rows.
	const refusal = ` AND raise_error(concat('${MISSING_KEY}', s.number)) IS NULL`;
	const values = columns.map((_, at) => `s.c${at}`).join(', ');
	return [
		`MERGE INTO ${table} AS t`,
		`USING (SELECT ${[...cells, number, given].join(', ')} FROM ${source.from}) AS s ON ${on}`,
		changes.length > 0 && `WHEN MATCHED THEN UPDATE SET ${changes.join(', ')}`,
		ifMissing !== 'leave' &&
			`WHEN NOT MATCHED${ifMissing === 'fail' ? refusal : ''} THEN INSERT (${listNames(columns)}) VALUES (${values})`,
	]
		.filter(Boolean)
		.join(' ');
}

const listNames = (columns: Column[]) => columns.map(({ name }) => quote(name)).join(', ');
