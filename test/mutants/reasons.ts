/** Why mistakes that no test notices may stay: they change nothing that anybody could see. */
export interface Reason {
	/** Below nodes/Wherobots. */
	file: string;
	/** Part of the mistake as the page shows it. */
	change: string;
	why: string;
}

const NOT_A_NUMBER = 'what is missing becomes NaN, and no comparison with it is true';
const NO_VALUE = 'a function that comes to its end gives undefined as well';
const NOTICED_NOW = 'noticed by a test that was added after this run';

export const REASONS: Reason[] = [
	{
		file: 'actions/file/uploadInput.ts',
		change: 'fileName === undefined → false',
		why: 'only for the compiler: to have no name is a problem already',
	},
	...[
		'Time !== undefined → true',
		'Time !== undefined → startTime !== undefined ||',
		'startTime !== undefined && endTime !== undefined → ',
	].map((change) => ({
		file: 'actions/auditLog/getAll.operation.ts',
		change,
		why: NOT_A_NUMBER,
	})),
	{
		file: 'actions/auditLog/exportFiles.ts',
		change: 'stored.length === 0 → false',
		why: 'a shortcut: no file is among none',
	},
	{
		file: 'actions/auditLog/exportFiles.ts',
		change: '() => false → () => undefined',
		why: 'undefined says no as well',
	},
	{
		file: 'actions/auditLog/exportFiles.ts',
		change: 'from < parts.length → from <=',
		why: 'adds the empty name, which no file has',
	},
	{
		file: 'actions/cloudConnection/stacks.ts',
		change: 'account === undefined → false',
		why: 'an account that is not given comes out of `plainAccountId` as it is',
	},
	{
		file: 'actions/cloudConnection/verify.operation.ts',
		change: '!wait → false',
		why: 'a wait of no time is a single check as well',
	},
	...['trusted.length', 'accounts.length > MAX'].map((change) => ({
		file: 'actions/cloudConnection/create.operation.ts',
		change,
		why: NOTICED_NOW,
	})),
	...['response = {', 'refusal !== undefined → false', 'text: refusal'].map((change) => ({
		file: 'actions/cloudConnection/downloadTemplate.operation.ts',
		change,
		why: NOTICED_NOW,
	})),
	...['last instanceof Error', 'roleAssumption?.status', 'Storage access'].map((change) => ({
		file: 'actions/cloudConnection/verify.operation.ts',
		change,
		why: NOTICED_NOW,
	})),
	{ file: 'trigger/core/state.ts', change: '!Array.isArray(entry) → false', why: NOTICED_NOW },
	{ file: 'trigger/core/watermark.ts', change: 'now !== undefined → true', why: NOT_A_NUMBER },
	{ file: 'trigger/core/watermark.ts', change: 'checkedAt === undefined', why: NOT_A_NUMBER },
	{ file: 'trigger/core/watermark.ts', change: 'newest === undefined → false', why: NOT_A_NUMBER },
	{ file: 'trigger/core/watermark.ts', change: 'now < checkedAt → now <=', why: NOTICED_NOW },
	{
		file: 'parameters/input.ts',
		change: "typeof value !== 'number' → false",
		why: 'only for the compiler: what is no number is no safe integer either',
	},
	{
		file: 'parameters/values.ts',
		change: '{ return undefined; } → {}',
		why: NO_VALUE,
	},
	{
		file: 'parameters/values.ts',
		change: 'a number that JSON does not have',
		why: NO_VALUE,
	},
	...['body?.requestId → body.requestId', 'body?.errors → body.errors'].map((change) => ({
		file: 'transport/failures/failure.ts',
		change,
		why: 'only for the compiler: where there are errors, there is a body',
	})),
	...['length >= MAX_EXPLANATION', '\'\' → "Stryker was here!"'].map((change) => ({
		file: 'transport/failures/failure.ts',
		change,
		why: 'an explanation of thousands of characters is cut a few characters sooner or later',
	})),
	{ file: 'transport/failures/failure.ts', change: '{ return undefined; } → {}', why: NO_VALUE },
	...["!clean.includes('\\\\') || !/", '\'\\\\\' → ""', 'clean.includes(secret) → true'].map(
		(change) => ({
			file: 'transport/failures/redact.ts',
			change,
			why: 'a shortcut for the many texts that need no change',
		}),
	),
	{
		file: 'service/time/calendar.ts',
		change: 'this.startOfDay(next) < time',
		why: 'when the next day begins, the clock shows its date, so this is never asked at that very time',
	},
	{
		file: 'service/time/calendar.ts',
		change: 'DAY_MS / 2 → DAY_MS * 2',
		why: 'no zone changes its clocks twice within four days, so both spans meet the same change',
	},
	{
		file: 'service/time/time.ts',
		change: '/^(\\d{4}-\\d{2}-\\d{2}) (?=\\d{2}:)/',
		why: 'what stands before a date makes it no date, with or without the T',
	},
	...[
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
	].map((change) => ({
		file: 'service/time/time.ts',
		change,
		why: 'a shortcut: without it, `parseTime` reads the same time, only slower',
	})),
	{
		file: 'service/time/time.ts',
		change: '\'\' → "Stryker was here!"',
		why: 'stands in the place of a whole match, which nobody reads',
	},
	...['service/fileNames.ts', 'service/templates.ts', 'service/baseUrl.ts'].map((file) => ({
		file,
		change: '{ return undefined; } → {}',
		why: NO_VALUE,
	})),
	...['service/fileNames.ts', 'service/files.ts'].map((file) => ({
		file,
		change: '\'\' → "Stryker was here!"',
		why: 'only for the compiler: a text that is split has at least one part',
	})),
	{
		file: 'service/jobRuns/metrics.ts',
		change: 'Number(value) >= Number(highest)',
		why: 'of two equal values, either is the highest',
	},
	{
		file: 'transport/bodies.ts',
		change: 'text.length >= MAX_ERROR_BYTES',
		why: 'an explanation of a megabyte is cut a piece sooner or later',
	},
	...['{ once: true } → {}', 'true → false'].map((change) => ({
		file: 'transport/clock.ts',
		change,
		why: 'the listener is removed when the work has ended, whether it was called or not',
	})),
	{
		file: 'transport/clock.ts',
		change: 'left >= 0',
		why: 'a pause of no length takes a turn of the event loop more',
	},
	{
		file: 'transport/http.ts',
		change: 'request.body === undefined → false',
		why: 'of no body, `JSON.stringify` gives undefined as well',
	},
	{
		file: 'transport/http.ts',
		change: "typeof current.httpCode === 'string' → true",
		why: 'only for the compiler: what is no text does not begin with a capital letter as text either',
	},
	{
		file: 'transport/json.ts',
		change: '!MAYBE_LONG_INTEGER.test(text) → false',
		why: 'a shortcut: without it, the same numbers are found, only slower',
	},
	...['token.length <= 16 && !/e/i.test(token) → false', 'token.length < 16'].map((change) => ({
		file: 'transport/json.ts',
		change,
		why: 'a shortcut: fifteen digits beside a period are held exactly, which comparing them shows as well',
	})),
	...['\'0\' → ""', '/^-/ → /-/'].map((change) => ({
		file: 'transport/json.ts',
		change,
		why: 'an empty text is the number 0 too, and a mantissa has its sign at its beginning only',
	})),
	...["short === '' → true", 'digits.length + short.length'].map((change) => ({
		file: 'transport/json.ts',
		change,
		why: 'a number and what is read of it never differ by a power of ten alone',
	})),
	{
		file: 'transport/json.ts',
		change: 'end < 0 → end <= 0',
		why: 'the quote that ends a string is never the first character of the text',
	},
	{
		file: 'transport/download/bodyReader.ts',
		change: '\'\' → "Stryker was here!"',
		why: 'stands for a header that is not there, and names no encoding either way',
	},
	{
		file: 'transport/download/bodyReader.ts',
		change: 'count === 1 → false',
		why: 'a shortcut: one chunk is copied to the same bytes',
	},
	...['{ once: true } → {}', 'true → false'].map((change) => ({
		file: 'transport/download/bodyReader.ts',
		change,
		why: 'a signal is aborted once',
	})),
	...['true → false', '!finished → true'].map((change) => ({
		file: 'transport/download/gzip.ts',
		change,
		why: 'cancelling a stream that has ended does nothing',
	})),
	{
		file: 'actions/requestFields.ts',
		change: 'length > 0 → length >= 0',
		why: 'no field of a form has an empty name',
	},
	...['page?.total → page.total', 'page?.next_page → page.next_page'].map((change) => ({
		file: 'transport/pagination.ts',
		change,
		why: 'only for the compiler: where there are records, there is a page',
	})),
	{
		file: 'transport/inParallel.ts',
		change: 'new Array<T>(count) → new Array()',
		why: 'each result is put at its index, and all are there at the end',
	},
	{
		file: 'transport/serviceClock.ts',
		change: '\'\' → "Stryker was here!"',
		why: 'is no date either way',
	},
	...['begin === undefined', 'end === undefined → false', 'created === undefined → false'].map(
		(change) => ({ file: 'transport/creation/lostResponse.ts', change, why: NOT_A_NUMBER }),
	),
];
