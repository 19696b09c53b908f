/** A statement from the moment it is taken: its states, its result, its file. */
import { setTimeout as sleep } from 'node:timers/promises';

import { StorageRecord, type StoredFile } from '../model/storages';
import type { Environment } from '../server/environment';
import { settle, type SqlAnswer } from './answers';
import type { SqlConnection } from './connection';
import type { Message } from './faults';
import { fileOf } from './files';
import type { StoreRequest } from './messages';
import { resultOf, type Retrieval } from './results';

export type ExecutionState = 'pending' | 'running' | 'succeeded' | 'failed' | 'cancelled';

export interface Ask {
	id: string;
	sessionId: string;
	text: string;
	store?: StoreRequest;
	progress: boolean;
}

/** How long a statement goes on without a connection before it is cancelled. */
const GRACE_MS = 120_000;

/** How often to check the clock, in milliseconds, since a clock does not tell when it is moved. */
const LOOK_MS = 3;

export class Execution {
	state: ExecutionState = 'pending';

	/** How many times results were requested; then, how many times cancellation was. */
	retrievals = 0;

	cancels = 0;

	/** The connection that its events go to, and how; undefined once it is gone. */
	owner?: SqlConnection;

	tell?: (message: Message) => void;

	readonly takenAt: number;

	/** When it was last asked for, or ended. */
	usedAt = 0;

	private cancelAt = Infinity;

	/** When it is cancelled because nobody is connected to it. */
	private orphanedUntil = Infinity;

	private error?: string;

	private file: { result_uri?: string | null; size?: number | null } = {};

	constructor(
		readonly ask: Ask,
		private answer: SqlAnswer,
		private readonly env: Environment,
	) {
		this.takenAt = env.clock.now();
	}

	cancel(): void {
		this.cancels += 1;
		this.cancelAt = Math.min(this.cancelAt, this.env.clock.now() + this.env.timings.sqlCancelMs);
	}

	/** Its connection is gone: it goes on for a while, in case another one takes it over. */
	orphan(): void {
		this.tell = undefined;
		this.orphanedUntil = this.env.clock.now() + GRACE_MS;
	}

	/** A connection takes it over. */
	attach(owner: SqlConnection, tell: (message: Message) => void): void {
		this.owner = owner;
		this.tell = tell;
		this.orphanedUntil = Infinity;
	}

	/** Ends the statement with its session: nothing more happens. */
	kill(): void {
		if (!this.isOver) this.state = 'failed';
		this.tell = undefined;
	}

	get isOver(): boolean {
		return this.state !== 'pending' && this.state !== 'running';
	}

	/** Executes the statement, on the sandbox's clock. */
	async run(): Promise<void> {
		const { clock } = this.env;
		const total = (this.answer.seconds ?? 0) * 1000;
		this.tellState();
		this.state = 'running';
		this.tellState();
		let told = -1;
		for (;;) {
			if (this.isOver) return;
			const passed = clock.now() - this.takenAt;
			const tasks = total === 0 ? 4 : Math.min(4, Math.floor((passed / total) * 4));
			if (tasks > told) this.tellProgress(tasks);
			told = Math.max(told, tasks);
			const isStopped = clock.now() >= Math.min(this.cancelAt, this.orphanedUntil);
			if (isStopped || passed >= total) return await this.end(isStopped);
			await sleep(LOOK_MS, undefined, { ref: false });
		}
	}

	private async end(isCancelled: boolean): Promise<void> {
		this.usedAt = this.env.sql.nextUse();
		if (isCancelled) {
			this.state = 'cancelled';
			return this.tellState();
		}
		this.answer = await settle(this.answer);
		const error = this.answer.error ?? (await this.store());
		if (error === undefined) {
			this.answer.changes?.();
			this.state = 'succeeded';
			return this.tellState(this.file);
		}
		const isBefore = this.env.variants.sqlErrorEvent === 'before';
		this.error = error;
		this.state = 'failed';
		if (isBefore) this.tell?.(this.errorEvent());
		this.tellState();
		if (!isBefore) this.tell?.(this.errorEvent());
	}

	/** Writes the requested file, or returns the error when that is impossible. */
	private async store(): Promise<string | undefined> {
		const { store } = this.ask;
		const { variants, clock, presigned } = this.env;
		const nothing = { result_uri: null, size: null };
		this.file = variants.sqlResultUri === 'null' ? nothing : {};
		if (!store) return undefined;
		const { rows = [], fileBytes, file: exact } = this.answer;
		if (rows.length === 0 && fileBytes === undefined && exact === undefined) {
			this.file = nothing;
			return undefined;
		}
		const { format = 'parquet', options = {} } = store;
		const made = exact ? { content: exact } : fileOf(this.answer, format, options, variants);
		if ('error' in made) return made.error;
		const name = String(store.single) === 'true' ? `part-00000.${format}` : '';
		const storage = new StorageRecord(
			'sql-results',
			{ name: 'sql-results', path: 's3://wbts-sql-results' },
			clock.now(),
		);
		const path = `${this.ask.sessionId}/${this.ask.id}/${name}`;
		const file: StoredFile = {
			size: fileBytes ?? made.content.length,
			sha256: '',
			lastModified: clock.now(),
			content: fileBytes === undefined ? made.content : undefined,
		};
		storage.files.set(path, file);
		const isPresigned = String(store.generate_presigned_url) === 'true';
		this.file = {
			result_uri: isPresigned
				? await presigned.sign('GET', storage, path)
				: `${storage.draft.path}/${path}`,
			...(variants.sqlFileSize === 'present' && { size: file.size }),
		};
		return undefined;
	}

	/**
	 * The response to `retrieve_results`.
	 *
	 * @throws Error when the result cannot be sent
	 */
	result(retrieval: Retrieval, isRunning = false): Message {
		const state = isRunning ? 'running' : this.state;
		const isDone = state === 'succeeded' && !this.ask.store;
		return {
			kind: 'execution_result',
			execution_id: this.ask.id,
			state,
			results: isDone ? resultOf(this.answer, retrieval, this.env.variants) : null,
			...(state === 'succeeded' && this.file),
			...(state === 'failed' && { exception_on_failure: this.error }),
		};
	}

	errorEvent(): Message {
		return { kind: 'error', execution_id: this.ask.id, message: this.error ?? 'failed' };
	}

	private tellState(more: Record<string, unknown> = {}): void {
		const { sqlStates } = this.env.variants;
		if (sqlStates === 'last' && !this.isOver) return;
		const event = { kind: 'state_updated', execution_id: this.ask.id, state: this.state, ...more };
		this.tell?.(event);
		if (sqlStates === 'twice') this.tell?.(event);
	}

	private tellProgress(completed: number): void {
		if (!this.ask.progress) return;
		this.tell?.({
			kind: 'execution_progress',
			execution_id: this.ask.id,
			tasks_total: 4,
			tasks_completed: completed,
			tasks_active: completed < 4 ? 1 : 0,
		});
	}
}
