/** Why mistakes that no test notices may stay: they change nothing that anybody could see. */

const NOT_A_NUMBER = 'what is missing becomes NaN, and no comparison with it is true';
const NO_VALUE = 'a function that comes to its end gives undefined as well';
const NOTICED_NOW = 'noticed by a test that was added after this run';

/** Parts of mistakes as the page shows them, and why they may stay. */
type Reason = [why: string, ...changes: string[]];

/** By source below nodes/Wherobots. */
export const REASONS: Record<string, Reason[]> = {
	'actions/auditLog/exportFiles.ts': [
		['a shortcut: no file is among none', 'stored.length === 0 → false'],
		['undefined says no as well', '() => false → () => undefined'],
		['adds the empty name, which no file has', 'from < parts.length → from <='],
	],
	'actions/auditLog/getAll.operation.ts': [
		[
			NOT_A_NUMBER,
			'Time !== undefined → true',
			'Time !== undefined → startTime !== undefined ||',
			'startTime !== undefined && endTime !== undefined → ',
		],
	],
	'actions/cloudConnection/create.operation.ts': [
		[NOTICED_NOW, 'trusted.length', 'accounts.length > MAX'],
	],
	'actions/cloudConnection/downloadTemplate.operation.ts': [
		[NOTICED_NOW, 'response = {', 'refusal !== undefined → false', 'text: refusal'],
	],
	'actions/cloudConnection/stacks.ts': [
		[
			'an account that is not given comes out of `plainAccountId` as it is',
			'account === undefined → false',
		],
	],
	'actions/cloudConnection/verify.operation.ts': [
		['a wait of no time is a single check as well', '!wait → false'],
		[NOTICED_NOW, 'last instanceof Error', 'roleAssumption?.status', 'Storage access'],
	],
	'actions/file/uploadInput.ts': [
		[
			'only for the compiler: to have no name is a problem already',
			'fileName === undefined → false',
		],
	],
	'actions/requestFields.ts': [
		['no field of a form has an empty name', 'length > 0 → length >= 0'],
	],
	'parameters/input.ts': [
		[
			'only for the compiler: what is no number is no safe integer either',
			"typeof value !== 'number' → false",
		],
	],
	'parameters/values.ts': [
		[NO_VALUE, '{ return undefined; } → {}', 'a number that JSON does not have'],
	],
	'service/baseUrl.ts': [[NO_VALUE, '{ return undefined; } → {}']],
	'service/fileNames.ts': [
		[NO_VALUE, '{ return undefined; } → {}'],
		[
			'only for the compiler: a text that is split has at least one part',
			'\'\' → "Stryker was here!"',
		],
	],
	'service/files.ts': [
		[
			'only for the compiler: a text that is split has at least one part',
			'\'\' → "Stryker was here!"',
		],
	],
	'service/jobRuns/metrics.ts': [
		['of two equal values, either is the highest', 'Number(value) >= Number(highest)'],
	],
	'service/templates.ts': [[NO_VALUE, '{ return undefined; } → {}']],
	'service/time/calendar.ts': [
		[
			'when the next day begins, the clock shows its date, so this is never asked at that very time',
			'this.startOfDay(next) < time',
		],
		[
			'no zone changes its clocks twice within four days, so both spans meet the same change',
			'DAY_MS / 2 → DAY_MS * 2',
		],
	],
	'service/time/time.ts': [
		[
			'what stands before a date makes it no date, with or without the T',
			'/^(\\d{4}-\\d{2}-\\d{2}) (?=\\d{2}:)/',
		],
		[
			'a shortcut: without it, `parseTime` reads the same time, only slower',
			"typeof value === 'string' → true",
			"typeof value === 'string' → false",
			"typeof value === 'string' → typeof",
			'\'string\' → ""',
			'SERVICE_TIME.exec(value) && []',
			'head === undefined →',
			'`${head}${zone}` → ``',
			'isDay(head as string) → false',
			'toISOString… → false',
			'<= 28 → false',
			'<= 28 → Number(day.slice(8)) < 28',
			'[] → ["Stryker was here"]',
			'const day = text.slice(0, 10); return',
			'<= 28 && new Date(',
			'day.slice(8) → day',
			'.endsWith(day)',
		],
		['stands in the place of a whole match, which nobody reads', '\'\' → "Stryker was here!"'],
	],
	'transport/bodies.ts': [
		[
			'an explanation of a megabyte is cut a piece sooner or later',
			'text.length >= MAX_ERROR_BYTES',
		],
	],
	'transport/clock.ts': [
		[
			'the listener is removed when the work has ended, whether it was called or not',
			'{ once: true } → {}',
			'true → false',
		],
		['a pause of no length takes a turn of the event loop more', 'left >= 0'],
	],
	'transport/creation/lostResponse.ts': [
		[
			NOT_A_NUMBER,
			'begin === undefined',
			'end === undefined → false',
			'created === undefined → false',
		],
	],
	'transport/download/bodyReader.ts': [
		[
			'stands for a header that is not there, and names no encoding either way',
			'\'\' → "Stryker was here!"',
		],
		['a shortcut: one chunk is copied to the same bytes', 'count === 1 → false'],
		['a signal is aborted once', '{ once: true } → {}', 'true → false'],
	],
	'transport/download/gzip.ts': [
		['cancelling a stream that has ended does nothing', 'true → false', '!finished → true'],
	],
	'transport/failures/failure.ts': [
		[
			'only for the compiler: where there are errors, there is a body',
			'body?.requestId → body.requestId',
			'body?.errors → body.errors',
		],
		[
			'an explanation of thousands of characters is cut a few characters sooner or later',
			'length >= MAX_EXPLANATION',
			'\'\' → "Stryker was here!"',
		],
		[NO_VALUE, '{ return undefined; } → {}'],
	],
	'transport/failures/redact.ts': [
		[
			'a shortcut for the many texts that need no change',
			"!clean.includes('\\\\') || !/",
			'\'\\\\\' → ""',
			'clean.includes(secret) → true',
		],
	],
	'transport/http.ts': [
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
	'transport/json.ts': [
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
	'transport/pagination.ts': [
		[
			'only for the compiler: where there are records, there is a page',
			'page?.total → page.total',
			'page?.next_page → page.next_page',
		],
	],
	'transport/serviceClock.ts': [['is no date either way', '\'\' → "Stryker was here!"']],
	'trigger/core/state.ts': [[NOTICED_NOW, '!Array.isArray(entry) → false']],
	'trigger/core/watermark.ts': [
		[
			NOT_A_NUMBER,
			'now !== undefined → true',
			'checkedAt === undefined',
			'newest === undefined → false',
		],
		[NOTICED_NOW, 'now < checkedAt → now <='],
	],
};
