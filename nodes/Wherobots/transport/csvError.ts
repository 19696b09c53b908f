/** CSV that is not what it has to be: cut off, malformed, or without the columns of its header row. */
export class CsvError extends Error {
	override readonly name = 'CsvError';
}
