import { frozen } from './calls';

/** What one poll of the core returned. */
export interface Polled<S> {
	state: S;
	/** The IDs of the events. */
	events: string[];
	/** Notes for n8n's log. */
	notes: string[];
}

/** When n8n is killed around a poll that has events. */
export type Kill = 'none' | 'beforeCommit' | 'betweenEmitAndSave' | 'betweenSaveAndEmit';

/**
 * What n8n does around polls. The classic engine keeps the state in memory and stores it only when there
 * are items, in a write of its own; the durable one stores it with the execution in one commit.
 */
export class ModelEngine<S> {
	/** Events that have started an execution, in order. */
	readonly delivered: string[] = [];

	/** Events that the engine itself may repeat, or has thrown away. */
	readonly excused = new Set<string>();

	private memory: S | undefined;

	private stored: { state: S | undefined; delivered: number } = { state: undefined, delivered: 0 };

	private readonly history: Array<{ state: S | undefined; delivered: number }> = [];

	constructor(private readonly kind: 'classic' | 'durable') {}

	get state(): S | undefined {
		return this.memory && frozen(JSON.parse(JSON.stringify(this.memory)) as S);
	}

	/** Hands over what a poll returned. `from` is the state that it started from. */
	take(polled: Polled<S>, from: S | undefined, kill: Kill): boolean {
		// Another poll was faster; the node discards its result in that case, too.
		if (JSON.stringify(from) !== JSON.stringify(this.memory)) return false;
		if (kill === 'beforeCommit') {
			this.restart();
			return false;
		}
		const { events } = polled;
		// The durable engine does not store a first poll; the process remembers it instead.
		this.memory = polled.state;
		const isDurable = this.kind === 'durable';
		if (isDurable || kill !== 'betweenSaveAndEmit') this.delivered.push(...events);
		else for (const id of events) this.excused.add(id);
		const isSaved = isDurable || (events.length > 0 && kill !== 'betweenEmitAndSave');
		if (isSaved) this.save(polled.state);
		if (kill !== 'none') this.restart();
		return true;
	}

	/** The process dies: what was not stored is gone. */
	restart(): void {
		this.memory = this.stored.state;
		for (const id of this.delivered.slice(this.stored.delivered)) this.excused.add(id);
	}

	/** Somebody restores an older backup of the database. */
	rollBack(steps: number): void {
		const index = Math.max(0, this.history.length - 1 - steps);
		const older = this.history[index];
		if (!older) return;
		this.history.length = index + 1;
		this.stored = older;
		this.restart();
	}

	/** n8n stores the static data when it has activated the workflow. */
	saveActivation(): void {
		this.save(this.memory);
	}

	/** The scope has changed: the state is no longer used. */
	forget(): void {
		this.memory = undefined;
		this.save(undefined);
		this.history.length = 0;
	}

	private save(state: S | undefined): void {
		this.stored = { state, delivered: this.delivered.length };
		this.history.push(this.stored);
	}
}
