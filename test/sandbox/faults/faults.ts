/** Faults: what may go wrong on the way, switched on by rules. */
import type { ErrorInfo } from '../server/errors';
import type { EndpointId } from '../server/route';
import { Rules, type Rule, type RuleHandle } from './rules';

/** Before handling, nothing has happened; after handling, there is the effect but no response. */
type When = 'before' | 'after';

export type Fault =
	/** An error response instead of the real one. */
	| {
			kind: 'status';
			status: number;
			when?: When;
			/** A number of seconds (integer or float), an HTTP date as text, or absent. */
			retryAfter?: number | string;
			/** `json` is the documented error body; `detail` is `{"detail": …}`. */
			body?: 'json' | 'html' | 'empty' | 'detail' | 'plain';
			errors?: Array<Partial<ErrorInfo>>;
			headers?: Record<string, string>;
	  }
	/** The connection is reset. */
	| { kind: 'reset'; when?: When }
	/** Waits for `ms` of real time, then continues. Can be combined with another fault. */
	| { kind: 'delay'; ms: number }
	/** Never responds; the connection stays open until the client or the sandbox closes it. */
	| { kind: 'hang'; when?: When }
	/** An HTML page with status 200. */
	| { kind: 'html' }
	/** The body ends after `bytes` (default: half of it), with a matching length header. */
	| { kind: 'truncate'; bytes?: number }
	/**
	 * The body stops after `bytes`: with a reset, by closing without the end that the framing promises,
	 * or with an end that looks clean (`end`: chunked, with its terminator).
	 */
	| { kind: 'cut'; bytes: number; how: 'reset' | 'close' | 'end' }
	/** The body stops after `bytes`, for ever. */
	| { kind: 'stall'; bytes: number }
	/** The body comes in pieces of `bytes`, one every `everyMs` of real time. */
	| { kind: 'trickle'; bytes: number; everyMs: number }
	/**
	 * Pages that lead nowhere: the next cursor is the one just used, the page is empty but has a next
	 * cursor, or every page has a new next cursor.
	 */
	| { kind: 'cursor'; how: 'repeat' | 'emptyWithNext' | 'endless' }
	/** A body of white space that never ends; with gzip, only a thousandth of it is sent. */
	| { kind: 'endless'; status?: number; gzip?: boolean }
	/** Any response. */
	| {
			kind: 'replace';
			status?: number;
			contentType?: string;
			headers?: Record<string, string>;
			body: string | Buffer;
	  }
	/** The real JSON response, changed. */
	| { kind: 'edit'; edit(json: never): unknown }
	/** The text of the real response, changed: for what cannot be expressed as a JSON value. */
	| { kind: 'rewrite'; rewrite(text: string): string }
	/** The real response with another status or other headers. */
	| { kind: 'envelope'; status?: number; headers?: Record<string, string> }
	/**
	 * The real response after `bytes` of white space, which do not change what it says. With `gzip`, a
	 * few hundred times fewer bytes are sent.
	 */
	| { kind: 'padded'; bytes: number; gzip?: boolean };

export interface FaultRule extends Rule {
	/** What the rule applies to; every condition given must match. */
	endpoint?: EndpointId;
	path?: RegExp;
	fault: Fault;
}

export type FaultHandle = RuleHandle;

type Delay = Extract<Fault, { kind: 'delay' }>;

/** What happens to a request: any delays, and at most one other fault. */
export interface FaultPlan {
	delays: Delay[];
	fault?: Exclude<Fault, Delay>;
}

export class Faults extends Rules<FaultRule> {
	/** Counts the request against every rule that matches it, and says what happens to it. */
	meet(request: { endpoint?: EndpointId; path: string }): FaultPlan {
		const matches = ({ endpoint, path }: FaultRule) =>
			(endpoint ?? request.endpoint) === request.endpoint && (path?.test(request.path) ?? true);
		const isDelay = ({ fault }: FaultRule) => fault.kind === 'delay';
		const delays = this.every((rule) => isDelay(rule) && matches(rule));
		const other = this.first((rule) => !isDelay(rule) && matches(rule));
		return {
			delays: delays.map(({ fault }) => fault as Delay),
			fault: other?.fault as FaultPlan['fault'],
		};
	}
}
