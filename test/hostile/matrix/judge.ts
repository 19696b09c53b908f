/**
 * Says whether what was observed is right. Knows the interface and what is promised to people, and
 * nothing of how the package works.
 */
import { endpoints, type EndpointId, type Exchange } from '../../sandbox';
import { KEYS } from '../../sandbox/server/auth';
import { START, type Observed } from './cell';
import { ROUNDED, type MatrixFault } from './faults';
import type { ShownError, Subject } from './subjects';

/** What became of a use, in one word for the page. */
export type Verdict =
	| 'result'
	| 'retried'
	| 'found'
	| 'data'
	| 'error'
	| 'gaveUp'
	| 'unclear'
	| 'late'
	| 'missed';

export interface Judged {
	verdict: Verdict;
	/** What is wrong with it. */
	problems: string[];
}

/** More requests than these beyond what the use takes without a fault are a loop. */
const MOST_REQUESTS = 250;

/** Longest message and description together, in characters. */
const LONGEST_ERROR = 9_000;

/** What tells a person what to do, or where in their program. */
const REMEDY =
	/\b(try again|repeat|check|look for|set |use |correct|contact|ask |needs?\b|can do this|choose|of their own|must|wait|see |update|before you|persists|may not offer|create|later|location:)/i;

/** What JavaScript says when a program is wrong. */
const CRASH =
	/cannot read propert|is not a function|is not iterable|TypeError|RangeError|ReferenceError|SyntaxError|undefined|\[object Object\]|\bNaN\b|Invalid time value|circular structure|call stack/i;

/** What creates something anew with each request. */
const CREATING = new Set([
	...['/runs', '/apikey', '/catalogs', '/cloud-connections'],
	'/tasks/{taskName}/runs',
	// Makes a file of another name; a second time it could be another file.
	'/storage/{storage_id}/file-rename/{path}',
]);

export function isCreating(id: EndpointId): boolean {
	const { method, paths } = endpoints[id];
	return method === 'POST' && CREATING.has(paths[0]);
}

/** Whether a use has made such a request. */
function asked({ exchanges }: Observed, endpoint: EndpointId): boolean {
	return exchanges.some(({ request }) => request.endpoint === endpoint);
}

function isNotFound({ response }: Exchange): boolean {
	return response?.status === 404;
}

/** How often something was created. */
function creations(exchanges: Exchange[]): number {
	return exchanges.filter(
		({ request: { endpoint }, response }) =>
			endpoint && isCreating(endpoint) && response && (response.status ?? 200) < 300,
	).length;
}

/**
 * The same for the same result: IDs, times since the start and random numbers do not count, nor, for
 * what is made anew with each use, any number.
 */
function comparable(observed: Observed, isWrite: boolean, adds: string[] = []): string {
	return JSON.stringify(observed.used.items, (key, value: unknown) => {
		if (adds.includes(key) || key === 'recovered') return undefined;
		if (key === 'preview') return '<preview>';
		// Of a workload that goes on, until now.
		if (key === 'hours') return '<hours>';
		if (isWrite && typeof value === 'number') return 0;
		if (typeof value !== 'string') return value;
		const text = value
			.replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[.\d]*(Z|\+00:00)/g, (time) =>
				Date.parse(time) >= START ? '<later>' : time,
			)
			.replace(/http:\/\/127\.0\.0\.1:\d+([^?\s]*)(\?\S*)?/g, '<service>$1')
			.replace(/[0-9a-f]{8}[0-9a-f-]{2,}/gi, '<id>');
		return isWrite ? text.replace(/\d+/g, '#') : text;
	});
}

function errorProblems(
	{ message, description }: ShownError,
	fault: MatrixFault,
	isAboutIt: boolean,
): string[] {
	const all = `${message}\n${description}`;
	return [
		...(message.trim().length < 8 ? ['an error without a message'] : []),
		...(description.trim().length < 8 ? [`an error without a description: ${message}`] : []),
		...(CRASH.test(all) ? [`an error of the program: ${all.slice(0, 300)}`] : []),
		...(REMEDY.test(all) ? [] : [`an error without a remedy: ${all.slice(0, 300)}`]),
		...(isAboutIt && !fault.cause.test(all)
			? [`an error that does not name the cause: ${all.slice(0, 300)}`]
			: []),
		...(all.length > LONGEST_ERROR ? [`an error of ${all.length} characters`] : []),
	];
}

const SECRET_FIELD = /^(key|accessKey|secretKey|sessionToken|uploadUrl|downloadUrl)$/;

/** What responses held that only an output may show. */
function issuedSecrets(exchanges: Exchange[]): string[] {
	const found: string[] = [];
	const visit = (value: unknown) => {
		if (typeof value !== 'object' || value === null) return;
		for (const [key, inner] of Object.entries(value)) {
			if (SECRET_FIELD.test(key) && typeof inner === 'string' && inner.length > 12) {
				found.push(inner);
			} else visit(inner);
		}
	};
	for (const { response } of exchanges) visit(response?.json);
	return found;
}

function leaks({ used, exchanges }: Observed, log: string): string[] {
	const shown = `${used.leftovers}\n${JSON.stringify(used.errors)}\n${log}`;
	const items = JSON.stringify(used.items);
	return [
		...KEYS.filter((key) => shown.includes(key) || items.includes(key)).map(
			(key) => `the credential is in sight: ${key}`,
		),
		...issuedSecrets(exchanges)
			.filter((secret) => shown.includes(secret))
			.map((secret) => `a secret is in sight: ${secret.slice(0, 6)}…`),
	];
}

/** How often the same request was sent: pages are different requests. */
function mostOften({ exchanges }: Observed, endpoint: EndpointId, hasFault = false): number {
	const counts = new Map<string, number>();
	for (const { request } of exchanges) {
		if (request.endpoint !== endpoint || (hasFault && !request.fault)) continue;
		const sent = JSON.stringify([request.path, request.query, request.body]);
		counts.set(sent, (counts.get(sent) ?? 0) + 1);
	}
	return Math.max(0, ...counts.values());
}

export interface Question {
	subject: Subject;
	endpoint: EndpointId;
	fault: MatrixFault;
	baseline: Observed;
	observed: Observed;
	/** What was logged and printed meanwhile. */
	log: string;
}

export function judge(question: Question): Judged {
	const { subject, endpoint, fault, baseline, observed } = question;
	const { items, errors } = observed.used;
	if (observed.hung) return { verdict: 'error', problems: ['it hangs'] };
	if ('crash' in observed) {
		return { verdict: 'error', problems: [`it crashes: ${String(observed.crash)}`] };
	}
	const comparableOf = (one: Observed) => comparable(one, subject.isWrite, fault.adds);
	const isSame = comparableOf(observed) === comparableOf(baseline);
	const isTrigger = subject.kind === 'trigger';
	const isMain = endpoint === subject.main;
	const isUnclear = errors.some(({ message }) => /not certain/.test(message));
	const hasTrouble = observed.hits > 0;
	// Changed values may name what does not exist, and only the request for that shows it.
	const isMisled = fault.expect === 'data' && observed.exchanges.some(isNotFound);
	const isAboutFault = isTrigger || (isMain && !isMisled);
	const problems = [
		...errors.flatMap((error) => errorProblems(error, fault, isAboutFault)),
		...leaks(observed, question.log),
		...outcomeProblems(question, isSame),
	];
	if (creations(observed.exchanges) > Math.max(1, creations(baseline.exchanges))) {
		problems.push(`it created ${creations(observed.exchanges)} times`);
	}
	if (observed.exchanges.length > baseline.exchanges.length + MOST_REQUESTS) {
		problems.push(`it took ${observed.exchanges.length} requests`);
	}
	const sent = observed.exchanges.map(({ request }) =>
		JSON.stringify([request.path, request.query]),
	);
	if ([JSON.stringify(items), ...sent].some((text) => text.includes(ROUNDED))) {
		problems.push('it rounded an integer');
	}
	if ('polluted' in {}) problems.push('it changed the prototype of objects');
	if (fault.ambiguous && isCreating(endpoint) && errors.length > 0 && hasTrouble) {
		const says = errors.some(({ message, description }) =>
			/not certain|look for/i.test(message + description),
		);
		if (!says) problems.push('it does not say that something may have been created');
	}

	// How often a poll that is refused goes on is chance: the waits are. That it does is not.
	const isRefused = /^429 with/.test(fault.name) && mostOften(observed, endpoint, true) > 1;
	const isRetried = isRefused || mostOften(observed, endpoint) > mostOften(baseline, endpoint);
	if (isTrigger) {
		if (!isSame && isMissed(fault, subject)) return { verdict: 'missed', problems };
		return { verdict: errors.length > 0 ? 'late' : isSame ? 'result' : 'data', problems };
	}
	if (errors.length > 0) {
		return { verdict: isUnclear ? 'unclear' : isRetried ? 'gaveUp' : 'error', problems };
	}
	if (!isSame) return { verdict: 'data', problems };
	return {
		verdict: items.some(({ json }) => json.recovered === true)
			? 'found'
			: isRetried
				? 'retried'
				: 'result',
		problems,
	};
}

/**
 * A first poll takes the service's time for the beginning, or n8n's where the two are more than a day
 * apart: whatever bears an earlier time is old. So it is when that time is wrong at this one moment.
 */
function isMissed({ name }: MatrixFault, { title }: Subject): boolean {
	return /clock is (years|a year) ahead$/.test(name) && title.endsWith('(activation)');
}

function outcomeProblems(
	{ subject, endpoint, fault, baseline, observed }: Question,
	isSame: boolean,
): string[] {
	const { items, errors } = observed.used;
	const shown = JSON.stringify(items).slice(0, 400);
	// Whatever happens, each event comes once in the end.
	if (subject.kind === 'trigger') {
		// Of records that are none it may make events of their own, with the digest as their ID.
		const odd = items.filter(({ json }) => /^(LOST|TWICE|UNEXPECTED)/.test(String(json.text)));
		if (isMissed(fault, subject)) return [];
		const isAllowed = ({ json }: { json: object }) =>
			fault.expect === 'data' &&
			/^UNEXPECTED \w+\/sha256/.test(String((json as { text: string }).text));
		return isSame || odd.every(isAllowed) ? [] : [`its events are not right: ${shown}`];
	}
	if (errors.length > 1) return [`it shows ${errors.length} errors`];
	if (errors.length === 1 && items.length > 0) return ['it gives a result and an error'];

	const isMain = endpoint === subject.main;
	const mayFail =
		fault.expect !== 'result' || (fault.ambiguous === true && isCreating(endpoint)) || !isMain;
	const mayBeOther = fault.expect === 'data' || (!isMain && fault.expect !== 'result');
	if (errors.length === 1) {
		return mayFail ? [] : [`it fails: ${errors[0].message} | ${errors[0].description}`];
	}
	// What a lost response had created may be found again.
	const isFound = isSame && isCreating(endpoint) && items.some(({ json }) => json.recovered);
	if (isFound && fault.ambiguous) return [];
	// Nothing in a template says where it ends.
	if (fault.looksWhole && /Template$/.test(endpoint)) return [];
	// A file may be anywhere: it is fetched there, without the key.
	if (endpoint === 'downloadFile' && (fault.redirects || fault.group === 'Body')) return [];
	const isInstead = subject.instead !== undefined && asked(observed, subject.instead);
	if (fault.expect === 'error' && isMain) return isInstead ? [] : [`it gives a result: ${shown}`];
	// The address of a redirect does not say when it expires.
	const withoutExpiry = (one: Observed) => comparable(one, subject.isWrite, ['expiresAt']);
	if (isInstead && withoutExpiry(observed) === withoutExpiry(baseline)) return [];
	// What any request of the service returns may be nothing.
	const isNothing = JSON.stringify(items.map(({ json }) => json)) === '[{"value":null}]';
	if (isNothing && fault.name === 'null' && subject.title === 'API: Request') return [];
	if (isSame || mayBeOther) return [];
	const right = comparable(baseline, subject.isWrite).slice(0, 400);
	return [`its result is not right: ${shown}\n  instead of: ${right}`];
}
