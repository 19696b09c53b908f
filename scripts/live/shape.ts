/** What a value of the service looks like, in words that contain nothing of the value itself. */

export type Json = Record<string, unknown>;

export function isRecord(value: unknown): value is Json {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The records in a list, or in the member of a page that has them. */
export function recordsIn(value: unknown, member = 'items'): Json[] {
	const list = isRecord(value) ? value[member] : value;
	return Array.isArray(list) ? list.filter(isRecord) : [];
}

const isTime = (text: string) => /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(text);

export function kindOf(value: unknown): string {
	if (value === undefined) return 'missing';
	if (value === null) return 'null';
	if (Array.isArray(value)) return `a list of ${value.length}`;
	if (typeof value === 'number') {
		return Number.isInteger(value) ? `a number with ${digitsOf(value)} digits` : 'a fraction';
	}
	if (typeof value !== 'string') return typeof value === 'object' ? 'an object' : typeof value;
	if (value === '') return 'an empty text';
	if (/^\d+$/.test(value)) return `a text of ${value.length} digits`;
	if (/^\d+\.\d+$/.test(value)) return 'a text with a decimal number';
	return isTime(value) ? 'a text with a time' : 'a text';
}

const digitsOf = (value: number) => BigInt(Math.abs(value)).toString().length;

/** The different kinds of some values, each once. */
export function kindsOf(values: unknown[]): string {
	return [...new Set(values.map(kindOf))].join(', ') || 'nothing';
}

/** Different constants of the service, such as COMPLETED; a question mark for anything else. */
export function wordsOf(values: unknown[]): string {
	const words = values.map((value) =>
		/^[A-Z][A-Z0-9_]*$/.test(String(value)) ? String(value) : '?',
	);
	return [...new Set(words)].join(', ') || 'none';
}

/** "1 entry", "2 entries". */
export function count({ length }: unknown[], one: string, several = `${one}s`): string {
	return `${length} ${length === 1 ? one : several}`;
}

/** The fields of a record of the service. Not for maps whose keys are the user's. */
export function fieldsOf(record: Json): string {
	const names = Object.keys(record).filter((name) => record[name] !== undefined);
	return names.join(', ') || 'no fields';
}

const UNITS: Array<[name: string, perSecond: number]> = [
	['seconds', 1],
	['milliseconds', 1e3],
	['microseconds', 1e6],
	['nanoseconds', 1e9],
];

/** The unit in which a number is a time between two others, which are in milliseconds; undefined if none. */
export function unitOf(value: unknown, from: number, to: number): string | undefined {
	const number = Number(value);
	return UNITS.find(([, perSecond]) => {
		const ms = (number / perSecond) * 1_000;
		return ms >= from && ms <= to;
	})?.[0];
}
