/** What goes wrong with a socket, switched on by rules. */

type FrameKind = 'state_updated' | 'execution_result' | 'error' | 'execution_progress';

/** A message on its way out. */
export type Message = Record<string, unknown> & { kind: string; execution_id?: string };

export type SqlFaultRule = (
	| {
			at: 'handshake';
			fault:
				| { kind: 'refuse'; status: number; headers?: Record<string, string>; body?: string }
				/** The connection is established, but no response ever comes. */
				| { kind: 'hang' }
				| { kind: 'reset' };
	  }
	| {
			/** An `execute_sql` arrives. */
			at: 'statement';
			fault: /** The connection ends; the statement was `taken` and keeps running, or was never taken. */
			| { kind: 'cut'; taken: boolean; code?: number }
				/** The statement is taken and runs, but nothing is reported about it unless requested. */
				| { kind: 'silence' }
				/** The session dies while the statement runs: every socket is closed, and the session's record says so. */
				| { kind: 'die'; status?: string; message?: string };
	  }
	| {
			/** A `retrieve_results` arrives. */
			at: 'retrieve';
			fault: /** The execution is no longer in the cache. */
			| { kind: 'forgotten' }
				| { kind: 'cut'; code?: number }
				/** The response is that of a statement that is still running. */
				| { kind: 'running' };
	  }
	| {
			/** A message is sent. */
			at: 'frame';
			frame?: FrameKind;
			/** The message's state. */
			state?: string;
			fault:
				| { kind: 'lose' }
				/** The connection ends before the message, in the middle of it, or right after it. */
				| { kind: 'cut'; where: 'before' | 'inside' | 'after'; code?: number }
				/** Another frame is sent instead: text or bytes. */
				| { kind: 'replace'; data: string | Buffer }
				| { kind: 'edit'; edit(message: Message): unknown }
				/** The result is cut to this many bytes. */
				| { kind: 'shorten'; bytes: number }
				/** The message is this many bytes longer. */
				| { kind: 'pad'; bytes: number };
	  }
) & {
	/** Only for statements like this. */
	statement?: RegExp;
	/** How many to let through first. */
	skip?: number;
	/** How many are hit (default: all). */
	times?: number;
};

type Place = SqlFaultRule['at'];
interface FaultAt {
	handshake: Extract<SqlFaultRule, { at: 'handshake' }>['fault'];
	statement: Extract<SqlFaultRule, { at: 'statement' }>['fault'];
	retrieve: Extract<SqlFaultRule, { at: 'retrieve' }>['fault'];
	frame: Extract<SqlFaultRule, { at: 'frame' }>['fault'];
}

export class SqlFaults {
	private rules: Array<SqlFaultRule & { seen: number; hits: number }> = [];

	add(rule: SqlFaultRule): { readonly hits: number } {
		const active = { ...rule, seen: 0, hits: 0 };
		this.rules.push(active);
		return active;
	}

	clear(): void {
		this.rules = [];
	}

	/** What happens here; the first rule that matches counts. */
	meet<At extends Place>(
		at: At,
		subject: { statement?: string; message?: Message } = {},
	): FaultAt[At] | undefined {
		for (const rule of this.rules) {
			if (rule.at !== at || !matches(rule, subject)) continue;
			rule.seen += 1;
			if (rule.seen <= (rule.skip ?? 0) || rule.hits >= (rule.times ?? Infinity)) continue;
			rule.hits += 1;
			return rule.fault as FaultAt[At];
		}
		return undefined;
	}
}

function matches(
	rule: SqlFaultRule,
	{ statement = '', message }: { statement?: string; message?: Message },
): boolean {
	if (rule.statement && !rule.statement.test(statement)) return false;
	if (rule.at !== 'frame') return true;
	const isKind = rule.frame === undefined || rule.frame === message?.kind;
	return isKind && (rule.state === undefined || rule.state === message?.state);
}
