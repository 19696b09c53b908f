/** What goes wrong with a socket, switched on by rules. */
import { Rules, type Rule } from '../faults/rules';

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
) &
	Rule & {
		/** Only for statements like this. */
		statement?: RegExp;
	};

type FaultAt<At> = Extract<SqlFaultRule, { at: At }>['fault'];

export class SqlFaults extends Rules<SqlFaultRule> {
	/** What happens here; the first rule that matches counts. */
	meet<At extends SqlFaultRule['at']>(
		at: At,
		subject: { statement?: string; message?: Message } = {},
	): FaultAt<At> | undefined {
		const rule = this.first((each) => each.at === at && matches(each, subject));
		return rule?.fault as FaultAt<At> | undefined;
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
