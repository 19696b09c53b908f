/** Rows of a SQL result, the same in every process that sends or makes them: ten columns, 108 bytes of Arrow. */
const CITIES = ['Bonn', 'Graz', 'Kaş', 'Köln', 'Lyon', 'Oslo', 'Porto', 'Turin'];
const STATES = ['open', 'closed'];

export const SQL_COLUMNS = [
	...['id', 'station', 'reading', 'level', 'share', 'city', 'code', 'state', 'at', 'place'],
];

export type SqlValue = bigint | number | string | Date;

/** The statement whose result has so many rows. */
export function selectRows(count: number): string {
	return `SELECT * FROM bench.rows_${count}`;
}

/** The values of each row, in the order of the columns. */
export function* sqlRows(count: number): Generator<SqlValue[]> {
	let state = 1;
	/** A number from 0 to 1: random enough that rows compress like real ones, and always the same. */
	const random = () => {
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
		return state / 2 ** 32;
	};
	const below = (limit: number) => Math.floor(random() * limit);
	for (let row = 0; row < count; row++) {
		const [longitude, latitude] = [random() * 360 - 180, random() * 180 - 90];
		yield [
			// Beyond what a JavaScript number holds.
			9_007_199_254_740_993n + BigInt(row),
			BigInt(below(1e9)),
			BigInt(below(1e6)),
			random() * 100,
			random(),
			CITIES[below(CITIES.length)],
			below(2 ** 32).toString(36),
			STATES[below(STATES.length)],
			new Date(1.7e12 + below(3e10)),
			`POINT (${longitude.toFixed(6)} ${latitude.toFixed(6)})`,
		];
	}
}

/** A row as an item of n8n has it. */
export function asJson(values: SqlValue[]): Record<string, string | number> {
	const json: Record<string, string | number> = {};
	values.forEach((value, column) => (json[SQL_COLUMNS[column]] = jsonOf(value)));
	return json;
}

function jsonOf(value: SqlValue): string | number {
	if (value instanceof Date) return value.toISOString();
	if (typeof value !== 'bigint') return value;
	return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
}

/** A row as texts. */
export function asTexts(values: SqlValue[]): string[] {
	return values.map((value) => String(jsonOf(value)));
}
