/** SQL sessions: their records, the socket that they open, what statements do, what goes wrong. */
import type { RuleHandle } from '../faults/rules';
import type { Ids } from '../ids';
import type { Environment } from '../server/environment';
import { UNKNOWN, type SqlAnswer } from './answers';
import type { Execution } from './execution';
import { SqlFaults, type SqlFaultRule } from './faults';
import { SqlServer, type Handshake } from './server';
import { answerDescribed, answerDirectory } from './stored';
import { SqlSessionStore, type SqlSession, type SqlSessionPlan } from './sessions';

export type { SqlAnswer } from './answers';
export type { SqlFaultRule } from './faults';
export type { SqlSession, SqlSessionPlan } from './sessions';

/** A statement that was taken. */
export type TakenStatement = Pick<Execution, 'state' | 'retrievals' | 'cancels'> & {
	id: string;
	sessionId: string;
	text: string;
	store?: Record<string, unknown>;
};

type Answering = SqlAnswer | ((statement: string) => SqlAnswer);

/** What stands for all statements, but for those that write files, and that describe a query. */
const EVERYTHING = '/(?:)/';

/** How many statements a session remembers after their end. */
const REMEMBERED = 32;

export class SqlService {
	readonly sessions: SqlSessionStore;

	readonly faults = new SqlFaults();

	/** What broke the protocol. */
	readonly violations: string[] = [];

	/** In the order in which they were taken. */
	readonly statements: Execution[] = [];

	readonly server: SqlServer;

	private uses = 0;

	private rules: Array<{ match: string | RegExp; answer: Answering }> = [];

	constructor(
		private readonly env: Environment,
		ids: Ids,
	) {
		this.sessions = new SqlSessionStore({ ...env, ids }, 'Session');
		this.server = new SqlServer(env);
	}

	/** Every request for a socket. */
	get handshakes(): Handshake[] {
		return this.server.handshakes;
	}

	/** What a statement does from now on; text stands for the whole statement, apart from white space around it. */
	answer(match: string | RegExp, answer: Answering): void {
		this.rules.unshift({ match, answer });
	}

	/** What a statement does. */
	answerTo(statement: string): SqlAnswer {
		const text = statement.trim();
		const rule = this.rules.find(({ match }) =>
			typeof match === 'string' ? match.trim() === text : match.test(text),
		);
		const answerTo = (query: string) => this.answerTo(query);
		const written = answerDirectory(this.env, text, answerTo) ?? answerDescribed(text, answerTo);
		const isExact = rule !== undefined && rule.match.toString() !== EVERYTHING;
		if (written && !isExact) return written;
		const answer = rule?.answer ?? UNKNOWN;
		return typeof answer === 'function' ? answer(statement) : answer;
	}

	addFault(rule: SqlFaultRule): RuleHandle {
		return this.faults.add(rule);
	}

	/** How sessions that are created afterwards start; the last plan also applies to all that follow. */
	planSessions(...plans: SqlSessionPlan[]): void {
		this.sessions.plan(...plans);
	}

	/** Every statement like `like` that was taken, with one entry for each time. */
	taken(like: string | RegExp = /(?:)/): TakenStatement[] {
		return this.statements
			.filter(({ ask }) => (typeof like === 'string' ? ask.text === like : like.test(ask.text)))
			.map(({ ask, state, retrievals, cancels }) => {
				const { id, sessionId, text } = ask;
				const store = ask.store && { ...ask.store };
				return { id, sessionId, text, store, state, retrievals, cancels };
			});
	}

	/** A number that grows with each use of a statement. */
	nextUse(): number {
		return ++this.uses;
	}

	/** Whether a session has ended or answered for so many others since that it no longer knows it. */
	hasForgotten({ ask, isOver, usedAt }: Execution): boolean {
		const newer = this.statements.filter(
			(other) => other.ask.sessionId === ask.sessionId && other.isOver && other.usedAt > usedAt,
		);
		return isOver && newer.length >= REMEMBERED;
	}

	/** The newest execution with an ID in a session. */
	execution(session: SqlSession, id: string): Execution | undefined {
		const isIt = ({ ask }: Execution) => ask.id === id && ask.sessionId === session.id;
		return this.statements.filter(isIt).at(-1);
	}

	/** Ends a session at once: its sockets are closed, and its statements are gone. */
	kill(session: SqlSession, status = 'DESTROYED', message?: string): void {
		this.sessions.end(session, status, message);
		this.disconnect(session);
	}

	/** Deletes a session at the request of its owner. */
	remove(session: SqlSession): void {
		this.sessions.end(session);
		this.disconnect(session);
	}

	/** Forgets faults, statements, handshakes and violations. */
	clear(): void {
		this.faults.clear();
		this.violations.length = 0;
		this.statements.length = 0;
		this.handshakes.length = 0;
	}

	async stop(): Promise<void> {
		for (const execution of this.statements) execution.kill();
		await this.server.stop();
	}

	private disconnect(session: SqlSession): void {
		for (const execution of this.statements) {
			if (execution.ask.sessionId === session.id) execution.kill();
		}
		for (const connection of this.server.connections) {
			if (connection.session === session) connection.end(1001);
		}
	}
}
