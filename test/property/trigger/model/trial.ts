import { Failure } from '../../../../nodes/Wherobots/transport/failure';
import { Calls, ServiceFailure, type Cursors } from './calls';
import { ModelEngine, type Polled } from './engine';
import { SECOND, type ServiceClock } from './serviceClock';
import type { CommonStep, PollStep } from './steps';

const MINUTE = 60 * SECOND;

/** How many polls may be needed to catch up at the end of a history when the service is merely slow. */
const SLOW_POLLS = 200;

/** A state as the node keeps it. */
type Kept<S> = S & {
	/** Set while a first poll is not finished. */
	began?: unknown;
	baseline?: unknown;
	inconsistent?: number;
};

/**
 * Runs a history: changes in the service, polls through a model of n8n, kills, restores. Throws when an
 * event comes twice that the engine itself did not repeat.
 */
export abstract class Trial<S extends object, C extends { kind: string }> {
	protected readonly engine: ModelEngine<Kept<S>>;

	/** How often each event was delivered. */
	protected readonly counts = new Map<string, number>();

	private counted = 0;

	/** Nothing is promised for the lists of this history. */
	protected mayMiss = false;

	/**
	 * What may be missed, because two lists in a row contradicted themselves, or because a list ended early and
	 * as many records as it lacked came while it was read.
	 */
	private readonly mayBeMissed = new Set<string>();

	private readonly cursors: Cursors = new Map();

	constructor(
		protected readonly model: ServiceClock,
		engine: 'classic' | 'durable',
		private readonly steps: Array<C | CommonStep<C>>,
	) {
		this.engine = new ModelEngine(engine);
	}

	/** Something happens in the service. */
	protected abstract change(change: C): void;

	/** One poll of the core. */
	protected abstract poll(state: S | undefined, calls: Calls): Promise<Polled<S>>;

	/** A first poll has begun, finished or not, and has been stored. */
	protected begun(_state: S): void {}

	/** A first poll is finished, and has been stored. */
	protected abstract armed(state: S): void;

	/** A crash has brought back a first poll that is not finished. */
	protected reopened(_state: S): void {}

	/** n8n has taken the result of a poll. */
	protected taken(_state: S): void {}

	/** Everything was forgotten on purpose. */
	protected abstract disarmed(): void;

	/** Whether a first poll is not finished. */
	private isBegun(state: Kept<S> | undefined): boolean {
		return (state?.began ?? state?.baseline) !== undefined;
	}

	/** The records of which an event should have come but has not, and those events. */
	protected abstract missing(): Array<[record: string, event: string]>;

	/** The records that a state does not know, and has passed. */
	protected abstract unknown(state: S): string[];

	/** Whether an event has come, or was thrown away by the engine. */
	protected hasCome(id: string): boolean {
		return this.counts.has(id) || this.engine.excused.has(id);
	}

	async run(): Promise<void> {
		for (const step of this.steps) {
			await this.step(step);
			// A restart can bring back a first poll whose end was only in memory. When only n8n's clock says
			// when it began, what happens until it is finished again may count as old.
			const { state } = this.engine;
			if (!this.model.tellsRightTime && this.isBegun(state)) this.disarmed();
			// What it had remembered is read again, as it is by then.
			const isKilled = 'kill' in step && step.kill !== 'none';
			const isCrash = isKilled || step.kind === 'restart' || step.kind === 'rollBack';
			if (isCrash && state && this.isBegun(state)) this.reopened(state);
		}
		await this.settle();
		this.checkRepeats();
		const missed = this.due();
		if (missed !== undefined && !this.mayMiss) throw new Error(`${missed} never came`);
	}

	/** An event that should have come but has not. */
	private due(): string | undefined {
		return this.missing().find(([record]) => !this.mayBeMissed.has(record))?.[1];
	}

	private async step(step: C | CommonStep<C>): Promise<void> {
		const common = step as CommonStep<C>;
		switch (common.kind) {
			case 'wait':
				this.model.advance(common.seconds * SECOND + 137);
				return;
			case 'busy':
				for (const [change, seconds] of common.changes) {
					this.change(change);
					this.model.advance(seconds * SECOND + 137);
				}
				return;
			case 'poll':
				return await this.pollOnce(common);
			case 'restart':
				return this.engine.restart();
			case 'rollBack':
				return this.engine.rollBack(common.steps);
			case 'skew':
				// When the service tells a wrong time, n8n's clock has to do.
				if (this.model.serviceSkew === 0) this.model.skew = common.seconds * SECOND;
				return;
			case 'rescope':
				this.forgetDelivered();
				return this.engine.forget();
			case 'stall':
			case 'goOn':
				return this.model.apply(common);
			default:
				return this.change(step as C);
		}
	}

	private forgetDelivered(): void {
		this.checkRepeats();
		this.counts.clear();
		this.engine.excused.clear();
		this.disarmed();
	}

	private async pollOnce(step: PollStep<C>): Promise<void> {
		const from = this.engine.state;
		const before = new Map<number, () => void | Promise<void>>();
		for (const [call, change] of step.between ?? []) before.set(call, () => this.change(change));
		if (step.overlapAt) {
			before.set(step.overlapAt, async () => await this.pollOnce({ kind: 'poll' }));
		}
		const calls = new Calls({ ...step, before }, this.cursors, this.model);
		const polled = await this.poll(from, calls).catch((error: unknown) => {
			// The guard of pages makes a failure of its own.
			if (!(error instanceof ServiceFailure) && !(error instanceof Failure)) throw error;
		});
		if (!polled) return;
		const { inconsistent } = polled.state as Kept<S>;
		const isTaken = inconsistent ? from?.inconsistent : calls.hidesEnd;
		if (isTaken) for (const record of this.unknown(polled.state)) this.mayBeMissed.add(record);
		if (new Set(polled.events).size < polled.events.length) {
			throw new Error('One poll yielded an event twice');
		}
		const isFirst = from === undefined;
		if (isFirst && polled.events.length > 0) throw new Error('A first poll yielded events');
		const wasBaseline = isFirst || this.isBegun(from);
		const { state } = polled;
		if (!this.engine.take(polled, from, step.kill ?? 'none')) return;
		if (isFirst) this.forgetDelivered();
		this.count();
		if (isFirst) this.engine.saveActivation();
		// Without the service's time, only the end of the first poll is certain.
		if (isFirst && this.model.tellsRightTime) this.begun(state);
		if (wasBaseline && !this.isBegun(state)) this.armed(state);
		this.taken(state);
	}

	private count(): void {
		const fresh = this.engine.delivered.slice(this.counted);
		this.counted += fresh.length;
		for (const id of fresh) this.counts.set(id, (this.counts.get(id) ?? 0) + 1);
	}

	/** Makes sure that nothing goes wrong from now on, and polls often enough for everything to come. */
	private async settle(): Promise<void> {
		this.model.settle();
		for (const seconds of [400, 400, 400, 400, 4000, 4000]) {
			this.model.advance(seconds * SECOND);
			await this.pollOnce({ kind: 'poll' });
		}
		// When responses are slow, a poll does not get far.
		for (let poll = 0; this.model.latency > 0 && poll < SLOW_POLLS && this.due(); poll++) {
			this.model.advance(MINUTE);
			await this.pollOnce({ kind: 'poll' });
		}
		if (!this.engine.state) throw new Error('The trigger never started');
	}

	private checkRepeats(): void {
		for (const [id, times] of this.counts) {
			if (times > 1 && !this.engine.excused.has(id)) throw new Error(`${id} came ${times} times`);
		}
	}
}
