/** SQL sessions: their states over time, reuse and shutdown. Record: SqlSessionKubeApp. */
import { z } from 'zod/v4';

import { Records } from '../model/records';
import { transitionAt, type Transition } from '../model/runTypes';
import { recordTime } from '../time';

/** Null is as good as nothing. */
const orNothing = <Value extends z.ZodType>(value: Value) =>
	value.nullish().transform((given) => given ?? undefined);
const text = orNothing(z.string());
const number = orNothing(z.int());

export const sqlSessionPayload = z.strictObject({
	runtimeId: text,
	version: text,
	environmentPresetId: text,
	environmentOverridePresetId: text,
	idleTimeoutMinutes: number,
	shutdownAfterInactiveSeconds: number,
	sessionType: z.enum(['single', 'multi']).default('multi'),
	/** Only requests with the same key share a session. */
	sessionKey: text,
});

type SqlSessionPayload = z.infer<typeof sqlSessionPayload>;

/** How a session starts, and what its record then says. */
export interface SqlSessionPlan {
	/** The time until it is ready or has failed. */
	startMs?: number;
	/** Where it ends, or stays. */
	outcome?: 'READY' | 'PREPARE_FAILED' | 'DEPLOY_FAILED' | 'INIT_FAILED' | 'DEPLOYING';
	message?: string;
	/** `appMeta.url` instead of the real one; null leaves `appMeta` out. */
	url?: string | null;
}

export interface SqlSession {
	id: string;
	region: string;
	ownerId: string;
	payload: SqlSessionPayload;
	createTime: number;
	transitions: Transition[];
	plan: SqlSessionPlan;
	message: string | null;
	/** Open sockets. */
	clients: number;
	/** When the last of them was closed. */
	leftAt: number;
}

/** How long a session without clients lasts unless told otherwise. */
const INACTIVE_MS = 900_000;

type SqlSessionAsk = Pick<SqlSession, 'region' | 'ownerId' | 'payload'>;

/** The steps to `READY`, each with the part of the time after which it begins, and what may come instead. */
const STEPS: Array<[status: string, part: number]> = [
	['PENDING', 0],
	['PREPARING', 0.05],
	['PREPARE_FAILED', 0.1],
	['REQUESTED', 0.1],
	['DEPLOYING', 0.2],
	['DEPLOY_FAILED', 0.6],
	['DEPLOYED', 0.6],
	['INITIALIZING', 0.7],
	['INIT_FAILED', 1],
	['READY', 1],
];

/** The steps to an outcome. */
const startOf = (at: number, ms: number, outcome: string): Transition[] =>
	STEPS.slice(0, STEPS.findIndex(([status]) => status === outcome) + 1)
		.filter(([status]) => status === outcome || !status.endsWith('_FAILED'))
		.map(([status, part]) => ({ status, at: at + ms * part }));

export const isOver = (status: string) => /^DESTROY|_FAILED$/.test(status);

export class SqlSessionStore extends Records<SqlSession> {
	private plans: SqlSessionPlan[] = [];

	/** Called when one begins to start. */
	onCreated: () => void = () => {};

	/** Plans sessions that are created afterwards: each plan is for one session, the last one for the rest. */
	plan(...plans: SqlSessionPlan[]): void {
		this.plans = plans;
	}

	/** A session that fits, or a new one; beyond the quota another one of the owner's, with the reason. */
	request(ask: SqlSessionAsk, forceNew: boolean): { session: SqlSession; fallback?: 'quota' } {
		const own = this.all().filter(
			(session) => session.ownerId === ask.ownerId && !isOver(this.statusOf(session)),
		);
		const fitting = own.find(
			({ region, payload }) =>
				region === ask.region && JSON.stringify(payload) === JSON.stringify(ask.payload),
		);
		const isShared = !forceNew && ask.payload.sessionType === 'multi';
		if (fitting && isShared) return { session: fitting };
		const isFull = own.length > 0 && own.length >= this.parts.variants.sqlSessionQuota;
		return isFull ? { session: own[0], fallback: 'quota' } : { session: this.create(ask) };
	}

	private create(ask: SqlSessionAsk): SqlSession {
		this.onCreated();
		const { clock, ids, timings } = this.parts;
		const plan = (this.plans.length > 1 ? this.plans.shift() : this.plans[0]) ?? {};
		const now = clock.now();
		return this.add({
			...ask,
			id: ids.uuid('sql'),
			createTime: now,
			transitions: startOf(now, plan.startMs ?? timings.sqlStartMs, plan.outcome ?? 'READY'),
			plan,
			message: null,
			clients: 0,
			leftAt: now,
		});
	}

	statusOf(session: SqlSession): string {
		this.endWhenInactive(session);
		return transitionAt(session, this.parts.clock.now()).status;
	}

	/** Ends a session: slowly, like a deletion, or at once with a status. */
	end(session: SqlSession, status?: string, message?: string): void {
		const now = this.parts.clock.now();
		const { sqlStopMs } = this.parts.timings;
		session.transitions = session.transitions.filter(({ at }) => at <= now);
		session.message = message ?? session.message;
		if (status) session.transitions.push({ status, at: now });
		else session.transitions.push(...destruction(now, sqlStopMs));
	}

	/** The session's record as the service returns it. */
	view(session: SqlSession, url: string): Record<string, unknown> {
		const status = this.statusOf(session);
		const { at } = transitionAt(session, this.parts.clock.now());
		const hasFailed = status.endsWith('_FAILED');
		return {
			id: session.id,
			createTime: recordTime(session.createTime),
			updateTime: recordTime(at),
			instanceId: `inst-${session.id.slice(0, 8)}`,
			appType: 'SQL_SESSION',
			status,
			createdById: session.ownerId,
			apiPayload: session.payload,
			appMeta: this.metaOf(session, status, url),
			events: [],
			cpuUsage: 0,
			regionName: session.region,
			message: session.message ?? (hasFailed ? (session.plan.message ?? null) : null),
		};
	}

	private metaOf({ plan }: SqlSession, status: string, url: string): unknown {
		const { sqlMetaWhileStarting } = this.parts.variants;
		const isKnown = status === 'READY' || sqlMetaWhileStarting === 'url';
		if (plan.url !== null && isKnown) return { url: plan.url ?? url, resolved_version: '2.0.3' };
		return sqlMetaWhileStarting === 'absent' ? undefined : null;
	}

	private endWhenInactive(session: SqlSession): void {
		const { clock, timings } = this.parts;
		const readyAt = session.transitions.at(-1);
		if (readyAt?.status !== 'READY' || session.clients > 0) return;
		const { shutdownAfterInactiveSeconds: seconds } = session.payload;
		const limit = typeof seconds === 'number' ? seconds * 1000 : INACTIVE_MS;
		const endAt = Math.max(readyAt.at, session.leftAt) + limit;
		if (clock.now() >= endAt) session.transitions.push(...destruction(endAt, timings.sqlStopMs));
	}
}

const destruction = (at: number, ms: number): Transition[] => [
	{ status: 'DESTROY_REQUESTED', at },
	{ status: 'DESTROYING', at: at + ms * 0.1 },
	{ status: 'DESTROYED', at: at + ms },
];
