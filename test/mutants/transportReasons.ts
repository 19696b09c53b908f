/** The reasons of `reasons.ts` for the sources below transport/. */
import { NO_VALUE, NOT_A_NUMBER, type Reason } from './reason';

export const TRANSPORT_REASONS: Record<string, Reason[]> = {
	'transport/bodies.ts': [
		['a signal is aborted once', '{ once: true } → {}', 'true → false'],
		[NOT_A_NUMBER, 'looks !== undefined → true'],
		['a check after the end sees that the body is closed', '\'abort\' → ""'],
		[
			'an explanation of a megabyte is cut a piece sooner or later',
			'text.length >= MAX_ERROR_BYTES',
		],
		[
			'a shortcut: without it, the same numbers are found, only slower',
			'!MAYBE_LONG_INTEGER.test(text) → false',
		],
		[
			'a shortcut: fifteen digits beside a period are held exactly, which comparing them shows as well',
			'token.length <= 16 && !/e/i.test(token) → false',
			'token.length < 16',
		],
		[
			'an empty text is the number 0 too, and a mantissa has its sign at its beginning only',
			'\'0\' → ""',
			'/^-/ → /-/',
		],
		[
			'a number and what is read of it never differ by a power of ten alone',
			"short === '' → true",
			'digits.length + short.length',
		],
		['the quote that ends a string is never the first character of the text', 'end < 0 → end <= 0'],
	],
	'transport/client.ts': [
		['whatever is no stream is read as text', '\'text\' → ""'],
		['is no date either way', '\'\' → "Stryker was here!"'],
	],
	'transport/clock.ts': [
		[
			'the listener is removed when the work has ended, whether it was called or not',
			'{ once: true } → {}',
			'true → false',
		],
	],
	'transport/download/bodyReader.ts': [
		[
			'stands for a header that is not there, and names no encoding either way',
			'\'\' → "Stryker was here!"',
		],
		['is replaced by the first bytes, and nobody reads it', '[] → ["Stryker was here"]'],
		['of equal numbers, it has returned before', 'promised > received → promised >='],
	],
	'transport/download/hashed.ts': [[NOT_A_NUMBER, 'size !== undefined → true']],
	'transport/download/readable.ts': [
		['what Node makes of an iterable anyway', '{ objectMode: true, highWaterMark: 1 } → {}'],
	],
	'transport/failures/failure.ts': [
		[
			'only for the compiler: where there are errors, there is a body',
			'body?.requestId → body.requestId',
			'body?.errors → body.errors',
		],
		[NO_VALUE, '{ return undefined; } → {}'],
	],
	'transport/files/downloadFile.ts': [
		[
			'names the endpoint of a body that is something else, and no file is taken for that',
			'\'downloadFile\' → ""',
		],
	],
	'transport/files/storage.ts': [
		['no hint is given without a code either way', '\'\' → "Stryker was here!"'],
	],
	'transport/http.ts': [
		['any of one signal is that signal', 'signals.length >= 1'],
		['of no body, `JSON.stringify` gives undefined as well', 'request.body === undefined → false'],
		[
			'only for the compiler: what is no text does not begin with a capital letter as text either',
			"typeof current.httpCode === 'string' → true",
		],
	],
	'transport/inParallel.ts': [
		[
			'each result is put at its index, and all are there at the end',
			'new Array<T>(count) → new Array()',
		],
	],
	'transport/pace/rateLimit.ts': [
		[NOT_A_NUMBER, 'this.freeAt.length > 0'],
		['read after a 429 only, which sets it', '-Infinity → +Infinity'],
		['only for the compiler: the queue is not empty here', 'this.queue.shift().resolve'],
	],
	'transport/pace/retry.ts': [
		[
			'only for the compiler: a lost response has no status and no headers',
			"attempt.kind === 'network' → false",
		],
		['is no date either way', '\'\' → "Stryker was here!"'],
		['only for the compiler: what is missing is no number and no date', '!text → false'],
	],
	'transport/pagination.ts': [
		[
			'only for the compiler: where there are records, there is a page',
			'page?.total → page.total',
			'page?.next_page → page.next_page',
		],
	],
};
