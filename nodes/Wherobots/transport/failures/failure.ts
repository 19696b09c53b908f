import type { IDataObject } from 'n8n-workflow';

import type { Endpoint } from '../../service/endpoints';
import { isRecord, type ServiceErrorInfo } from '../../service/types';
import { bounded, clean, lines, text, visibleText } from './plainText';

/** A record that was created, or a candidate for one whose response was lost. */
export type RecordFacts = IDataObject & { id: string };

/**
 * Facts about a failure, for workflows that act on it: set where the failure occurs, never parsed from
 * a text. docs/errors.md names all of them; the package itself reads these.
 */
export interface ErrorFacts extends IDataObject {
	/** What is known of a SQL statement. */
	state?: string;
	candidates?: RecordFacts[];
}

/** The explanation of a request that did not succeed, without secrets and headers. */
export interface Failure {
	/** What happened, in one sentence. */
	message: string;
	/** Further facts and what to do, one per line. */
	description: string;
	/** The HTTP status, if there was a response. */
	httpCode?: string;
	/** The service's own error codes, such as `NOT_FOUND_ERROR`. */
	codes?: string[];
	requestId?: string;
	/** The wait that the service requested, in milliseconds, if any. */
	retryAfterMs?: number;
	/** True when the same request may succeed later. */
	temporary?: boolean;
	/** True when the service may have handled the request although it failed. */
	ambiguous?: boolean;
	/** For workflows. */
	facts?: ErrorFacts;
	/** The values that the service rejected, as it names them: `query.region` or just `region`. */
	places?: string[];
	/** True when the base URL is wrong or its certificate is not trusted. */
	addressAtFault?: boolean;
}

/** A response with an error status, or with a successful one and a body that cannot be read. */
export interface FailedResponse {
	status: number;
	contentType: string;
	/** The body, or the beginning of it. */
	text: string;
	location?: string;
	/** From the header, which a gateway's responses have as well. */
	requestId?: string;
	/** The limit in bytes, if the body exceeded it and was not read. */
	largerThan?: number;
}

/** In place of a body with a secret. */
const HIDDEN = '(not shown, because it may contain a secret)';
const CHECK_BASE_URL =
	"Check 'Base URL' in the credential: something other than Wherobots Cloud responded.";
const CHECK_BASE_URL_IF_IT_LASTS =
	"If this persists, check 'Base URL' in the credential: this response does not look like one from Wherobots Cloud.";
/** What to do about a rejected key or token. */
export const CHECK_SECRET =
	'Check it for typos and expiry. To get a new one, open https://cloud.wherobots.com, Settings → API Keys, and enter it in the Wherobots API credential.';
/** The remaining errors are only counted. */
const MAX_ERRORS = 20;
/** Maximum length of their explanations together. */
const MAX_EXPLANATION = 6_000;

/** Explains a response with an error status. Pure. */
export function describeResponse(endpoint: Endpoint, response: FailedResponse): Failure {
	const { status } = response;
	const httpCode = String(status);
	if (status >= 300 && status < 400) return describeRedirect(response);

	const body = readBody(response.text);
	const errors = errorsOf(body);
	const permission = status === 403 ? endpoint.permission : undefined;
	const requestId = text(body?.requestId) || response.requestId;
	const requestLine = requestId && `Request ID: ${requestId}`;
	if (errors.length === 0) {
		return {
			message: statusSentence(status) ?? `Wherobots Cloud responded with HTTP ${status}`,
			description: lines(
				foreignBody(response),
				permission && `${permission}.`,
				remedy(response),
				requestLine,
			),
			httpCode,
			requestId,
		};
	}

	const shown = errors.slice(0, MAX_ERRORS);
	const withMessages = status === 401 || permission !== undefined || errors.length > 1;
	const explanations = shown.flatMap((error, index) =>
		explainError(error, errors.length > 1 ? index + 1 : 0, withMessages),
	);
	return {
		message: permission ?? summary(status, errors),
		description: lines(
			status === 401 && CHECK_SECRET,
			bounded(lines(...explanations), MAX_EXPLANATION),
			errors.length > shown.length && `… and ${errors.length - shown.length} more.`,
			!Array.isArray(body?.errors) && otherEnvelope(status),
			requestLine,
		),
		httpCode,
		codes: shown.map((error) => text(error.code)).filter(Boolean),
		requestId,
		places: shown.flatMap(({ path, field }) => [placeIn(path), text(field)]).filter(Boolean),
	};
}

/** Explains an unsuccessful response of any status. Pure. */
export function describeFailed(endpoint: Endpoint, response: FailedResponse): Failure {
	const failure = describeResponse(endpoint, response);
	// With a successful status, only the service's own error body explains the failure.
	if (response.status >= 300 || failure.codes?.length) return failure;
	return describeUnreadable(endpoint.secret ? { ...response, text: HIDDEN } : response);
}

/** Explains a successful status with an invalid body. Pure. */
export function describeUnreadable(response: FailedResponse): Failure {
	if (response.largerThan !== undefined) {
		const megabytes = response.largerThan / 1_000_000;
		return {
			message: 'The response from Wherobots Cloud is too large',
			description: lines(
				`It is larger than ${megabytes} MB, so it was not read to the end.`,
				CHECK_BASE_URL_IF_IT_LASTS,
			),
			httpCode: String(response.status),
			requestId: response.requestId,
		};
	}
	return {
		message: 'Wherobots Cloud returned an unexpected response',
		description: lines(foreignBody(response), CHECK_BASE_URL),
		httpCode: String(response.status),
		requestId: response.requestId,
	};
}

function describeRedirect(response: FailedResponse): Failure {
	return {
		message: 'The base URL redirects to another address',
		description: lines(
			response.location && `It points to ${clean(response.location)}.`,
			"The key was not sent there. Set 'Base URL' in the credential to the final address.",
		),
		httpCode: String(response.status),
	};
}

/** Where a rejected value is; some errors have the address of the request there instead. */
function placeIn(path: unknown): string {
	const place = text(path);
	return place.includes('/') ? '' : place;
}

function summary(status: number, errors: ServiceErrorInfo[]): string {
	if (status === 401) return statusSentence(status) as string;
	const messages = [...new Set(errors.map((error) => text(error.message)).filter(Boolean))];
	const first =
		messages[0] ?? statusSentence(status) ?? `Wherobots Cloud responded with HTTP ${status}`;
	return messages.length > 1 ? `${first} (and ${messages.length - 1} more)` : first;
}

/** The facts of one error; with its message when it is one of several or the summary lacks it. */
function explainError(error: ServiceErrorInfo, number: number, withMessage: boolean): string[] {
	const facts = [
		withMessage && text(error.message),
		text(error.details),
		text(error.field) && `Field: ${text(error.field)}`,
		text(error.suggestion),
		text(error.documentation_url) && `Documentation: ${text(error.documentation_url)}`,
		text(error.code) && `Code: ${text(error.code)}`,
	].filter((fact): fact is string => Boolean(fact));
	const said = [...new Set(facts)];
	return number > 0 ? said.map((fact, i) => (i === 0 ? `${number}. ${fact}` : fact)) : said;
}

function statusSentence(status: number): string | undefined {
	switch (status) {
		case 401:
			return 'Wherobots Cloud did not accept the API key or token';
		case 403:
			return 'This account is not permitted to do this';
		case 404:
			return 'Not found at this address';
		case 429:
			return 'Wherobots Cloud is receiving too many requests';
		default:
			return status >= 500
				? `Wherobots Cloud could not process the request (HTTP ${status})`
				: undefined;
	}
}

/** The errors of the service's envelope, or of the `{detail}` or `{message}` body of a framework. */
function errorsOf(body: Record<string, unknown> | undefined): ServiceErrorInfo[] {
	if (!body) return [];
	if (Array.isArray(body.errors)) return body.errors.filter(isRecord);
	const { detail } = body;
	if (typeof detail === 'string') return [{ message: detail }];
	if (Array.isArray(detail)) {
		return detail.filter(isRecord).map((entry) => ({
			message: text(entry.msg),
			field: Array.isArray(entry.loc) ? entry.loc.map(text).join('.') : undefined,
		}));
	}
	return typeof body.message === 'string' ? [{ message: body.message }] : [];
}

function readBody(body: string): Record<string, unknown> | undefined {
	try {
		const value: unknown = JSON.parse(body);
		return isRecord(value) ? value : undefined;
	} catch {
		return undefined;
	}
}

function foreignBody(response: FailedResponse): string {
	const isHtml = /html/i.test(response.contentType) || /^\s*<(!doctype|html)/i.test(response.text);
	const excerpt = clean(visibleText(response.text));
	if (!excerpt) return `HTTP ${response.status} with an empty body.`;
	return `HTTP ${response.status} with ${isHtml ? 'a web page' : 'this body'}: ${excerpt}`;
}

/** What a framework's own error body implies: with 404, that the service has no such path. */
function otherEnvelope(status: number): string {
	return status === 404 ? CHECK_BASE_URL : `HTTP ${status} without any further explanation.`;
}

/** What to do about a body without an explanation. The service's own gateway sends web pages with 5xx. */
function remedy({ status, text: body }: FailedResponse): string {
	const isEmpty = body.trim() === '';
	if (status === 401 && isEmpty) return CHECK_SECRET;
	if (status === 429 || (status >= 500 && isEmpty)) return 'Try again later.';
	return status >= 500 ? CHECK_BASE_URL_IF_IT_LASTS : CHECK_BASE_URL;
}
