import type { IDataObject } from 'n8n-workflow';

import { findMissingRecord, type Endpoint, type PathValues } from '../service/endpoints';
import { toJson } from '../service/json';
import { parseErrors, isRecord, type ServiceErrorInfo } from '../service/records';
import { type FailureParts, toPathFacts, TRY_LATER } from './failure';
import type { BadResponse, FailedRequest } from './http';
import { type Attempt, describeNetwork, isPossiblyHandled, isTransient, parseWait } from './retry';
import { cleanForErrors, hasSecretName, redactByName } from './secrets';
import {
	truncate,
	clean,
	filterSentences,
	joinLines,
	formatSeconds,
	toText,
	extractVisibleText,
} from './text';

/** In place of a body with a secret. */
const HIDDEN = '(not shown, because it may contain a secret)';
const CHECK_BASE_URL =
	"Check 'Base URL' in the credential: something other than Wherobots Cloud responded.";
const CHECK_BASE_URL_IF_IT_LASTS =
	"If this persists, check 'Base URL' in the credential: this response does not look like one from Wherobots Cloud.";
const CHECK_ADDRESS =
	"Check 'Base URL' in the credential: it usually ends with the host, without a path.";
/** What to do about a rejected key or token. */
export const CHECK_SECRET =
	'Check the key or token for typos and expiry. To get a new one, open https://cloud.wherobots.com, Settings → API Keys, and enter it in the Wherobots API credential.';
/** What to do about a refused value, unless its field is known. */
const CHECK_VALUES = 'Check the values of this node.';
const CHECK_EXISTING = 'Check whether something with this name or ID already exists.';
const CHOOSE_KEY = 'Select a credential with another key, or ask an organization admin for one.';
/** What to do where a role does not help. */
const CHANGE_EDITION =
	"Ask an organization admin about the organization's edition, or select a credential of another organization.";
/** What to do where a role and an edition are needed: it is rarely the edition. */
const CHOOSE_ADMIN_KEY =
	"Select a credential with an organization admin's key. If it already has one, ask the admin about the organization's edition.";
/** The remaining errors are only counted. */
const MAX_ERRORS = 20;
/** Maximum length of their explanations together. */
const MAX_EXPLANATION = 6_000;

/** Words that say no more than the status, or than a title of the package does. */
const STATUS_ALONE =
	/^(bad request|conflict|forbidden|insufficient permissions|invalid input|not found|unauthori[sz]ed|validation (error|failed))\.?$/i;
const SAYS_MISSING =
	/^(there is no \w+( \w+)?|(\w+ ){0,2}(was )?(not found|does not exist))( '[^']*')?\.?$/i;
const SAYS_PERMISSION = /\bonly\b.{0,200}\badmin\b|\b(admin|edition)\b.{0,200}\brequired\b/i;
const SAYS_EXISTING = /\b(already exists|already taken|there is an? .{0,300} already)\b/i;
/** Sentences that the service suggests for errors of all kinds, also for those that are the user's. */
const GENERAL_SUGGESTION =
	/^(please )?(contact (us at )?support@\S+?( (to get|for) help\b.*)?|update your request( and try again)?)\.?$/i;
/** A record that no key may change: `Preset 'default' is protected`. */
const SAYS_PROTECTED = /'[^']*' is protected\b/i;
/** What the next step says, unless the request may have been handled. */
const SAYS_TRY_LATER = /^(please )?(try again|retry)( later| in a (few|couple of) \w+)?\.?$/i;
/** What no other value or key mends: the service's own suggestion is the next step. */
const NOT_THE_USERS =
	/^(ACCOUNT_NOT_PROVISIONED|FOREIGN_CATALOG_CONNECTION_FAILED|INSUFFICIENT_QUOTA_ERROR|THIRD_PARTY_PERMISSIONS_ERROR)$/;

/** Explains an unsuccessful response: an error status, or a successful one with an invalid body. Pure. */
export function describeFailed(
	endpoint: Endpoint,
	response: BadResponse,
	values: PathValues = {},
): FailureParts {
	const { status } = response;
	const httpCode = String(status);
	if (status >= 300 && status < 400) return describeRedirect(response);

	const body = parseBody(response.text);
	const errors = parseErrors(body);
	// With a successful status, only the service's own error body explains the failure.
	if (status < 300 && !errors.some(({ code }) => toText(code))) {
		return describeUnreadable(endpoint.secret ? { ...response, text: HIDDEN } : response);
	}
	const requestId = toText(body?.requestId) || response.requestId;
	if (errors.length === 0) {
		const permission = status === 403 && endpoint.permission;
		return {
			message: describeStatus(status),
			description: joinLines(describeForeignBody(response), permission && `${permission}.`),
			nextStep: suggestRemedy(response),
			httpCode,
			requestId,
		};
	}

	const isService = Array.isArray(body?.errors);
	const shown = errors.slice(0, MAX_ERRORS);
	const said = errors.map((error) => toSentences(endpoint, status, error));
	const titles = [...new Set(said.flatMap(([title]) => title?.replace(/(?<!\.)\.$/, '') ?? []))];
	const message = toText(errors[0].message);
	const isOfField = /^(query|body)\./.test(toText(errors[0].field));
	const isVague = titles.length === 0 && isUsers(status, errors[0]) && !isOfField;
	const vague = isVague ? { message, isService } : undefined;
	const own = chooseOwnWords(endpoint, status, values, vague);
	const more = titles.length > 1 ? ` (and ${titles.length - 1} more)` : '';
	const title = own?.title ?? (titles.length > 0 ? `${titles[0]}${more}` : message);
	const isForeign = !isService && status === 404;
	const step = isForeign ? CHECK_BASE_URL : findNextStep(status, errors[0], isVague);
	const told = removeDuplicates(
		shown.map((error, index) =>
			joinLines(...removeDuplicates([...said[index], ...adviseOn(status, error)])),
		),
	);
	const isAdvised = shown.some((error) => getSuggestion(status, error));
	const isSingle = told.length === 1;
	// The first line of a single one is the title.
	const isTitled = isSingle && !own && titles.length > 0;
	const explanations = isSingle
		? told[0].split('\n').slice(isTitled ? 1 : 0)
		: told.map((each, index) => each && `${index + 1}. ${each}`);
	return {
		message: STATUS_TEXT.test(title) ? describeStatus(status) : title,
		description: joinLines(
			truncate(joinLines(...explanations), MAX_EXPLANATION),
			errors.length > shown.length && `… and ${errors.length - shown.length} more.`,
			// The service may mean another permission than the one that is documented.
			!own &&
				status === 403 &&
				isUsers(status, errors[0]) &&
				endpoint.permission &&
				`${endpoint.permission}.`,
		),
		nextStep: own ? own.advice : isAdvised ? undefined : step,
		httpCode,
		codes: shown.map((error) => toText(error.code)).filter(Boolean),
		errors: shown.map(toFacts),
		requestId,
		// Some errors have the address of the request as their path.
		places: shown
			.flatMap(({ path, field }) => [toText(path), toText(field)])
			.filter((place) => place !== '' && !place.includes('/')),
	};
}

/** What an error says beyond its status and a title of the package. */
function toSentences({ permission }: Endpoint, status: number, error: ServiceErrorInfo): string[] {
	const isKnown = (words: string) =>
		STATUS_ALONE.test(words) ||
		(status === 404 && SAYS_MISSING.test(words)) ||
		(status === 403 && permission !== undefined && SAYS_PERMISSION.test(words));
	const words = removeDuplicates(
		[error.message, error.details].map((each) => removeTryLater(status, toText(each))),
	);
	return words.filter((each) => each !== '' && !isKnown(each));
}

/**
 * A title and what to do, where more is known than the service says.
 *
 * @param vague what is said when it is no more than the status
 */
function chooseOwnWords(
	{ path, permission, list }: Endpoint,
	status: number,
	values: PathValues,
	vague?: { message: string; isService: boolean },
): { title?: string; advice: string } | undefined {
	if (status === 401) return { title: describeStatus(status), advice: CHECK_SECRET };
	if (!vague) return undefined;
	// A list that is in no record is missing itself.
	if (status === 404 && list && !path.includes('{')) {
		return { title: describeStatus(status), advice: CHECK_ADDRESS };
	}
	if (status === 403 && (permission !== undefined || vague.isService)) {
		return {
			title: permission ?? describeStatus(status),
			advice: adviseOnPermission(permission),
		};
	}
	if (status !== 404 || !vague.isService) return undefined;
	return findMissingRecord(path, vague.message, values);
}

function adviseOnPermission(permission = ''): string {
	if (!/\bedition\b/i.test(permission)) return CHOOSE_KEY;
	return /\badmin\b/i.test(permission) ? CHOOSE_ADMIN_KEY : CHANGE_EDITION;
}

/** Which value an error is about, and what the service suggests. */
function adviseOn(status: number, error: ServiceErrorInfo): string[] {
	const [field, url] = [error.field, error.documentation_url].map(toText);
	const name = `${field.split('.').pop()}:`;
	const isNamed = [error.message, error.details].some((each) => toText(each).startsWith(name));
	return [
		isNamed ? '' : field && `Field: ${field}`,
		getSuggestion(status, error),
		url && `Documentation: ${url}`,
	].filter(Boolean);
}

function getSuggestion(status: number, error: ServiceErrorInfo): string {
	const isSaid = (each: string) => !isUsers(status, error) || !GENERAL_SUGGESTION.test(each);
	return filterSentences(removeTryLater(status, toText(error.suggestion)), isSaid);
}

/** Words without what the next step says anyway. */
function removeTryLater(status: number, words: string): string {
	if (!isTemporary(status)) return words;
	return filterSentences(words, (each) => !SAYS_TRY_LATER.test(each));
}

function isTemporary(status: number): boolean {
	return status >= 500 || isTransient({ kind: 'response', status });
}

/** Whether another value or key may mend an error. */
function isUsers(status: number, { code }: ServiceErrorInfo): boolean {
	return status < 500 && !NOT_THE_USERS.test(toText(code));
}

const NEXT_STEPS: Record<number, string | undefined> = {
	400: CHECK_VALUES,
	403: CHOOSE_KEY,
	404: 'Check the ID, name or path.',
	422: CHECK_VALUES,
};

/** What to do about an error for which neither the service nor its endpoint says more. */
function findNextStep(status: number, error: ServiceErrorInfo, isVague: boolean) {
	if (isTemporary(status)) return TRY_LATER;
	if (NOT_THE_USERS.test(toText(error.code))) return undefined;
	const said = `${toText(error.message)} ${toText(error.details)}`;
	if (status === 403 && SAYS_PROTECTED.test(said)) return undefined;
	if (status === 409 && isVague) return CHECK_EXISTING;
	if (status === 409 && SAYS_EXISTING.test(said)) return 'Choose another name.';
	if (status === 409 && /\bin use by\b/i.test(said))
		return 'First change or delete whatever uses it.';
	return NEXT_STEPS[status];
}

/** Texts that differ in more than case and the last period. */
function removeDuplicates(texts: string[]): string[] {
	const words = texts.map((each) => each.toLowerCase().replace(/\.$/, ''));
	return texts.filter((_, place) => words.indexOf(words[place]) === place);
}

/** An error as the service sent it, without empty values. */
function toFacts(error: ServiceErrorInfo): IDataObject {
	const facts = Object.entries(error).slice(0, MAX_ERRORS);
	const said = (value: unknown) =>
		typeof value === 'object' && value !== null ? clean(toJson(value)) : toText(value);
	return Object.fromEntries(
		facts.flatMap(([name, value]) => (said(value) ? [[clean(name), said(value)]] : [])),
	) as IDataObject;
}

function describeUnreadable(response: BadResponse): FailureParts {
	const { status, largerThan, requestId } = response;
	const [message, description, nextStep] =
		largerThan === undefined
			? [
					'Wherobots Cloud returned an unexpected response',
					describeForeignBody(response),
					CHECK_BASE_URL,
				]
			: [
					'The response from Wherobots Cloud is too large',
					`It is larger than ${largerThan / 1_000_000} MB, so it was not read to the end.`,
					CHECK_BASE_URL_IF_IT_LASTS,
				];
	return { message, description, nextStep, httpCode: String(status), requestId };
}

function describeRedirect({ status, location }: BadResponse): FailureParts {
	return {
		message: 'The base URL redirects to another address',
		description: joinLines(
			location && `It points to ${clean(location)}.`,
			'The key was not sent there.',
		),
		nextStep: "Set 'Base URL' in the credential to the final address.",
		httpCode: String(status),
	};
}

const STATUS_SENTENCES: Record<number, string> = {
	401: 'Wherobots Cloud did not accept the API key or token',
	403: 'This account is not permitted to do this',
	404: 'Not found at this address',
	429: 'Wherobots Cloud is receiving too many requests',
};

/** Titles that say no more than the status, and read as if n8n had failed. */
const STATUS_TEXT = /^(internal server error|bad gateway|service unavailable|too many requests)?$/i;

function describeStatus(status: number): string {
	if (status >= 500) return `Wherobots Cloud could not process the request (HTTP ${status})`;
	return STATUS_SENTENCES[status] ?? `Wherobots Cloud responded with HTTP ${status}`;
}

/** The object in a body, without its secrets. */
function parseBody(body: string): IDataObject | undefined {
	try {
		const value: unknown = JSON.parse(body);
		return isRecord(value) ? redactByName(value) : undefined;
	} catch {
		return undefined;
	}
}

function describeForeignBody(response: BadResponse): string {
	const isHtml = /html/i.test(response.contentType) || /^\s*<(!doctype|html)/i.test(response.text);
	const excerpt = hasSecretName(response.text) ? HIDDEN : clean(extractVisibleText(response.text));
	if (!excerpt) return `HTTP ${response.status} with an empty body.`;
	return `HTTP ${response.status} with ${isHtml ? 'a web page' : 'this body'}: ${excerpt}`;
}

/** What to do about a body without an explanation. The service's own gateway sends web pages with 5xx. */
function suggestRemedy({ status, text: body }: BadResponse): string {
	const isEmpty = body.trim() === '';
	if (status === 401 && isEmpty) return CHECK_SECRET;
	if (status === 429 || (status >= 500 && isEmpty)) return TRY_LATER;
	return status >= 500 ? CHECK_BASE_URL_IF_IT_LASTS : CHECK_BASE_URL;
}

/**
 * Explains a failed attempt at a request to the service. Pure.
 *
 * @param recoveryHint what a creating request may have created
 * @param now milliseconds since the epoch, for a `Retry-After` that is a date
 */
export function explain(
	endpoint: Endpoint,
	outcome: FailedRequest,
	{ path, recoveryHint }: { path?: PathValues; recoveryHint?: string },
	now: number,
): FailureParts {
	const found =
		outcome.kind === 'network'
			? describeNetwork(outcome.code, outcome.detail)
			: describeFailed(endpoint, outcome, path);
	const retryAfterMs = parseWait(outcome, now) ?? 0;
	const wait = retryAfterMs >= 60_000 && describeWait(retryAfterMs);
	const failure: FailureParts = {
		...found,
		description: joinLines(found.description, wait),
		facts: toPathFacts(path),
		retryAfterMs: retryAfterMs || undefined,
		temporary: isTransient(outcome),
	};
	const isUnclear = isPossiblyHandled(outcome) && endpoint.retry === 'once';
	const whole = isUnclear ? addRecoveryHint(failure, outcome, recoveryHint) : failure;
	// What is not an ID may be the key itself.
	const pasted = outcome.kind !== 'network' && outcome.status === 404 && path?.api_key_id;
	return pasted ? cleanForErrors(whole, [pasted.slice(0, 200)]) : whole;
}

/** Adds that a creating request may have been handled, and what to look for. Pure. */
export function addRecoveryHint(
	failure: FailureParts,
	attempt: Attempt,
	recoveryHint?: string,
): FailureParts {
	const where =
		attempt.kind === 'network' ? 'no complete response arrived' : `HTTP ${attempt.status}`;
	return {
		...failure,
		ambiguous: true,
		message: `${failure.message}: it is not certain whether the request was carried out`,
		description: joinLines(
			`It was not sent again, because it might then be carried out twice (${where}).`,
			failure.description,
		),
		nextStep: joinLines(
			recoveryHint && `Before you try again, look for ${recoveryHint}.`,
			failure.nextStep !== TRY_LATER && failure.nextStep,
		),
	};
}

/** Explains a request that was not sent before its deadline, or because of `retryAfterMs`. Pure. */
export function describeNoTime(retryAfterMs?: number): FailureParts {
	if (retryAfterMs !== undefined) {
		return {
			message: describeStatus(429),
			description: joinLines(describeWait(retryAfterMs), 'This request was not sent.'),
			nextStep: TRY_LATER,
			httpCode: '429',
			retryAfterMs,
			temporary: true,
		};
	}
	return {
		message: 'There was no time left for a request to Wherobots Cloud',
		description: 'Earlier requests took too long.',
		nextStep: TRY_LATER,
		temporary: true,
	};
}

function describeWait(ms: number): string {
	return `Wherobots Cloud asks n8n to wait ${formatSeconds(Math.ceil(ms / 1_000) * 1_000)}.`;
}
