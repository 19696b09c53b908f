/** What statements do: canned answers that tests register. */
import type { DataType } from 'apache-arrow';

type Row = Record<string, unknown>;

export interface SqlAnswer {
	/** Default: the names of the first row. */
	columns?: string[];
	/** Objects, or arrays in the order of the columns; without rows it is a statement such as an INSERT. */
	rows?: Row[] | unknown[][];
	/** Columns whose values are geometries: GeoJSON objects, with `srid` where it is not 4326; or null. */
	geometryColumns?: string[];
	/** Arrow types of columns; the others are inferred from their values (`arrow.ts`). */
	types?: Record<string, DataType>;
	/** How long the statement takes on the sandbox's clock. */
	seconds?: number;
	/** The error that the statement fails with. */
	error?: string;
	/** What it does is found out when it is executed; the rest is as said here. */
	later?: () => Promise<SqlAnswer>;
	/** What else the statement does: called each time that it is executed to its end. */
	changes?: () => void;
	/** The exact Arrow stream, instead of the rows; it is sent whatever format was asked for. */
	arrow?: Uint8Array;
	/** The same, by the name of the compression: compressing many rows takes long. */
	compressed?: Record<string, Buffer>;
	/** The exact file, if one is requested. */
	file?: Buffer;
	/** The size of the file, if one is requested; its bytes are generated while they are read. */
	fileBytes?: number;
}

/** Two columns may have one name. */
export interface Table {
	columns: string[];
	rows: unknown[][];
	geometryColumns: string[];
	types: Record<string, DataType>;
}

/** An answer with what is found out only when the statement is executed. */
export async function settle({ later, ...rest }: SqlAnswer): Promise<SqlAnswer> {
	return { ...rest, ...(await later?.()) };
}

/** What a statement does that nobody has registered: it fails as Spark fails for unknown names. */
export const UNKNOWN: SqlAnswer = {
	error:
		'[TABLE_OR_VIEW_NOT_FOUND] The table or view cannot be found. ' +
		'Verify the spelling and correctness of the schema and catalog. SQLSTATE: 42P01',
};

export function tableOf(answer: SqlAnswer): Table {
	const { columns, rows = [], geometryColumns = [], types = {} } = answer;
	const first = rows[0] as Row | unknown[] | undefined;
	const names = columns ?? (first && !Array.isArray(first) ? Object.keys(first) : []);
	const values = (row: Row | unknown[]): unknown[] =>
		names.map((name, at) => (Array.isArray(row) ? row[at] : row[name]) ?? null);
	return { columns: names, rows: rows.map(values), geometryColumns, types };
}
