/** What statements do: canned answers that tests register. */

export type Row = Record<string, unknown>;

export interface SqlAnswer {
	/** Default: the names of the first row. */
	columns?: string[];
	/** Objects, or arrays in the order of the columns; without rows it is a statement such as an INSERT. */
	rows?: Row[] | unknown[][];
	/** Columns whose values are geometries; these are given as GeoJSON objects, or null. */
	geometryColumns?: string[];
	/** How long the statement takes on the sandbox's clock. */
	seconds?: number;
	/** The error that the statement fails with. */
	error?: string;
	/** What else the statement does: called each time that it is executed to its end. */
	changes?: () => void;
	/** The exact JSON of the rows, instead of the rows. */
	json?: string;
	/** The size of the file, if one is requested; its bytes are generated while they are read. */
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

	/** Later answers win over earlier ones. Text stands for the whole statement, apart from surrounding white space. */
	add(match: string | RegExp, answer: Answering): void {
		this.rules.unshift({ match, answer });
	}

	/** What a statement does; one that was not registered fails as Spark fails for unknown names. */
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
