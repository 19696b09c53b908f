import { NodeApiError, NodeOperationError, type IDataObject, type INode } from 'n8n-workflow';

import { cleanForErrors } from './secrets';
import { toHtml, truncate, joinLines } from './text';

/** A record that was created, or a candidate for one whose response was lost. */
export type RecordFacts = IDataObject & { id: string };

/**
 * Facts about a failure, for workflows that act on it: set where the failure occurs, never parsed from
 * a text. docs/errors.md names all of them; the package itself reads these.
 */
interface ErrorFacts extends IDataObject {
	/** What is known of a SQL statement. */
	state?: string;
	candidates?: RecordFacts[];
}

export interface FailureParts {
	/** What happened, in one sentence. */
	message: string;
	/** Further facts, one per line. */
	description?: string;
	/** A note before the description, shortened when it is very long. */
	before?: string;
	/** A note after it, unshortened. */
	after?: string;
	/** What the person should do. It comes last; who knows better replaces it. */
	nextStep?: string;
	/** Nothing was sent: something is wrong with the input, the credential or n8n. */
	isInput?: boolean;
	/** The description is n8n's own, and HTML. */
	isHtml?: boolean;
	/** The HTTP status, if there was a response. */
	httpCode?: string;
	/** The service's own error codes, such as `NOT_FOUND_ERROR`. */
	codes?: string[];
	/** The errors of the service as it sent them, for n8n's error details. */
	errors?: IDataObject[];
	requestId?: string;
	/** The wait that the service requested, in milliseconds. */
	retryAfterMs?: number;
	/** A repeated request may succeed later. */
	temporary?: boolean;
	/** The service may have handled the request although it failed. */
	ambiguous?: boolean;
	/** For workflows. */
	facts?: ErrorFacts;
	/** The values that the service rejected, as it names them: `query.region` or just `region`. */
	places?: string[];
	/** The base URL is wrong or its certificate is not trusted. */
	addressAtFault?: boolean;
}

/** What is known where a failure passes; facts replace those of the same names. */
export type Context = Pick<FailureParts, 'before' | 'after' | 'facts'>;

/** The next step where only time helps. */
export const TRY_LATER = 'Try again later.';

/** Maximum lengths of an error's texts: names and IDs from expressions can be very long. */
const MAX_MESSAGE = 1_000;
const MAX_DESCRIPTION = 8_000;

/**
 * Anything that went wrong, as a value that never changes: context is added by making a new one. It
 * becomes n8n's error where it leaves the package (`toNodeError`).
 */
export class Failure extends Error {
	override readonly name = 'Failure';

	readonly description: string;

	readonly facts: ErrorFacts;

	constructor(readonly parts: Readonly<FailureParts>) {
		super(truncate(parts.message, MAX_MESSAGE));
		const { before, description = '', after, nextStep, facts } = parts;
		const { ambiguous, codes = [], errors = [], requestId } = parts;
		this.description = joinLines(before, truncate(description, MAX_DESCRIPTION), after, nextStep);
		this.facts = {
			...facts,
			...(codes.length > 0 && { codes }),
			...(errors.length > 0 && { errors }),
			...(requestId && { requestId }),
			...(ambiguous && { ambiguous }),
		};
	}

	get httpCode(): string | undefined {
		return this.parts.httpCode;
	}

	with(change: Partial<FailureParts>): Failure {
		return new Failure({ ...this.parts, ...change });
	}

	withContext({ before = '', after, facts }: Context): Failure {
		const { parts } = this;
		return this.with({
			before: joinLines(truncate(before, MAX_MESSAGE), parts.before),
			after: joinLines(parts.after, after),
			facts: { ...parts.facts, ...facts },
		});
	}
}

/** The values of a request's path as facts: `run_id` becomes `runId`. */
export function toPathFacts(path: Record<string, string> = {}): ErrorFacts {
	const camelCase = (name: string) =>
		name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
	return Object.fromEntries(Object.entries(path).map(([name, value]) => [camelCase(name), value]));
}

/** Whether an error comes from a response of the service with one of these statuses. */
export function hasStatus(error: unknown, ...statuses: number[]): error is Failure {
	return error instanceof Failure && statuses.some((status) => error.httpCode === String(status));
}

/** Whether it is unclear if the request behind this error was handled. */
export function isAmbiguous(error: unknown): error is Failure {
	return error instanceof Failure && error.parts.ambiguous === true;
}

/** Whether an error is a temporary problem of the service or network: the same request may succeed later. */
export function isTemporary(error: unknown): error is Failure {
	return error instanceof Failure && error.parts.temporary === true;
}

/** A failure with context; other errors as they are. */
export function addContext(error: unknown, context: Context): unknown {
	return error instanceof Failure ? error.withContext(context) : error;
}

/** What is read, or the failure with context; what it is may depend on the failure. */
export async function explainReading<T>(
	reading: Promise<T>,
	context: Context | ((failure: Failure) => Context),
): Promise<T> {
	return await reading.catch((error: unknown) => {
		if (!(error instanceof Failure)) throw error;
		throw error.withContext(typeof context === 'function' ? context(error) : context);
	});
}

export type Result<T> = { ok: true; value: T } | { ok: false; error: unknown };

/** The outcome of a promise as a value, for code that handles failures itself. */
export async function settle<T>(work: Promise<T>): Promise<Result<T>> {
	return await work.then(
		(value) => ({ ok: true as const, value }),
		(error: unknown) => ({ ok: false as const, error }),
	);
}

/**
 * Any error as a failure without secrets and signatures of presigned URLs. n8n's own errors, such as
 * those of expressions, say more in their description.
 */
export function toFailure(error: unknown, secrets: readonly string[] = []): Failure {
	const { message, description, httpCode } = (error ?? {}) as Partial<NodeApiError>;
	const parts =
		error instanceof Failure
			? error.parts
			: {
					message: String(message ?? error),
					description: description ?? '',
					httpCode: httpCode ?? undefined,
					isInput: true,
					isHtml: true,
				};
	const copy = JSON.parse(JSON.stringify(parts)) as FailureParts;
	return new Failure(cleanForErrors(copy, secrets));
}

/**
 * The error that n8n shows. Its scheduler reads `httpCode` and `failure` to decide when to poll again.
 *
 * @param format the description, which the panel takes as HTML and a model as text
 */
export function toNodeError(
	node: INode,
	failure: Failure,
	itemIndex?: number,
	format = formatForPanel,
): NodeApiError | NodeOperationError {
	const { message, facts, parts } = failure;
	const { isInput, isHtml, codes = [], requestId = null, httpCode } = parts;
	const description = isHtml ? failure.description : format(failure.description);
	const body = { message, codes, requestId };
	const error = isInput
		? new NodeOperationError(node, message)
		: new NodeApiError(node, body, { message, httpCode, failure: toSchedulerHint(parts) });
	// The constructors replace a message that happens to contain a Node.js error code ("EPERM" is in
	// "hypermedia"), and take a code from the body when the status is missing.
	Object.assign(error, { message, messages: [], description });
	if (error instanceof NodeApiError) error.httpCode = httpCode ?? null;
	Object.assign(
		error.context,
		// The panel shows them under "Error details".
		Object.keys(facts).length > 0 ? { data: facts } : {},
		itemIndex === undefined ? {} : { itemIndex },
	);
	return error;
}

type SchedulerHint = NonNullable<NodeApiError['failure']>;

function toSchedulerHint({ httpCode, retryAfterMs }: FailureParts): SchedulerHint | undefined {
	if (httpCode === '401') return { cause: 'credential-invalid' };
	if (httpCode === '429') return { cause: 'rate-limited', retryAfterMs };
	const isOutage = httpCode === undefined || httpCode.startsWith('5');
	return isOutage ? { cause: 'temporarily-unavailable', retryAfterMs } : undefined;
}

/**
 * Text as n8n's error panel shows it. The panel renders descriptions as HTML: line breaks and a stack
 * trace's indentation would be lost, and its `<module>` read as a tag.
 */
function formatForPanel(text: string): string {
	return toHtml(text)
		.replace(/^ +/gm, (indent) => '&nbsp;'.repeat(indent.length))
		.replaceAll('\n', '<br>');
}
