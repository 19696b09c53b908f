/** What statements do: canned answers, which tests register. */

export type Row = Record<string, unknown>;

export interface SqlAnswer {
	/** Default: the names of the first row. */
	columns?: string[];
	/** Objects, or arrays in the order of the columns; without rows it is a statement such as an INSERT. */
	rows?: Row[] | unknown[][];
	/** Columns whose values are geometries; these are given as GeoJSON objects, or null. */
	geometryColumns?: string[];
	/** How long it takes on the sandbox clock. */
	seconds?: number;
	/** What it fails with. */
	error?: string;
	/** What it does besides: called each time that the statement is carried out to its end. */
	changes?: () => void;
	/** The JSON of the rows, character by character, instead of the rows. */
	json?: string;
	/** A file of so many bytes that are made while they are read, where a file is asked for. */
	fileBytes?: number;
}

type Answering = SqlAnswer | ((statement: string) => SqlAnswer);

export interface Table {
	columns: string[];
	rows: Row[];
	geometryColumns: string[];
}

export class SqlAnswers {
	private rules: Array<{ match: string | RegExp; answer: Answering }> = [];

	/** Later ones win over earlier ones. A text is the whole statement, white space around it apart. */
	add(match: string | RegExp, answer: Answering): void {
		this.rules.unshift({ match, answer });
	}

	/** What a statement does; those that nobody registered fail as Spark fails on unknown names. */
	for(statement: string): SqlAnswer {
		const text = statement.trim();
		const rule = this.rules.find(({ match }) =>
			typeof match === 'string' ? match.trim() === text : match.test(text),
		);
		if (!rule) {
			return {
				error:
					'[TABLE_OR_VIEW_NOT_FOUND] The table or view cannot be found. ' +
					'Verify the spelling and correctness of the schema and catalog. SQLSTATE: 42P01',
			};
		}
		return typeof rule.answer === 'function' ? rule.answer(statement) : rule.answer;
	}
}

export function tableOf({ columns, rows = [], geometryColumns = [] }: SqlAnswer): Table {
	const first = rows[0] as Row | unknown[] | undefined;
	const names = columns ?? (first && !Array.isArray(first) ? Object.keys(first) : []);
	const named = (row: Row | unknown[]): Row =>
		Array.isArray(row) ? Object.fromEntries(names.map((name, at) => [name, row[at]])) : row;
	return { columns: names, rows: rows.map(named), geometryColumns };
}
