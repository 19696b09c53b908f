import { Calls } from './calls';
import { ModelEngine, type Polled } from './engine';
import type { CommonStep, PollStep } from './steps';

const SECOND = 1_000_000;

/** A service with a clock, and n8n's clock beside it. Microseconds. */
interface Clocked {
	now: number;
	skew: number;
	tellsTime: boolean;
}

/**
 * Lives through a history: changes of the service, polls through a model of n8n, kills, restores.
 * Throws when an event comes twice that the engine did not repeat itself.
 */
export abstract class Trial<S, C extends { kind: string }> {
	protected readonly engine: ModelEngine<S>;

	/** How often each event was delivered. */
	protected readonly counts = new Map<string, number>();

	private counted = 0;

	constructor(
		protected readonly model: Clocked,
		engine: 'classic' | 'durable',
		private readonly steps: Array<C | CommonStep<C>>,
	) {
		this.engine = new ModelEngine(engine);
	}

	/** Something happens in the service. */
	protected abstract change(change: C): void;

	/** One poll of the core. */
	protected abstract look(state: S | undefined, calls: Calls): Promise<Polled<S>>;

	/** A first look has been stored. */
	protected abstract armed(): void;

	/** Everything was forgotten on purpose. */
	protected abstract disarmed(): void;

	/** Throws when something that had to come is missing. */
	protected abstract checkComplete(): void;

	/** Whether an event has come, or was thrown away by the engine. */
	protected hasCome(id: string): boolean {
		return this.counts.has(id) || this.engine.excused.has(id);
	}

	async run(): Promise<void> {
		for (const step of this.steps) await this.step(step);
		await this.settle();
		this.checkRepeats();
		this.checkComplete();
	}

	private async step(step: C | CommonStep<C>): Promise<void> {
		const common = step as CommonStep<C>;
		switch (common.kind) {
			case 'wait':
				this.model.now += common.seconds * SECOND + 137;
				return;
			case 'poll':
				return await this.poll(common);
			case 'restart':
				return this.engine.restart();
			case 'rollBack':
				return this.engine.rollBack(common.steps);
			case 'skew':
				// A clock that nobody corrects may be behind; ahead, late records can be missed.
				if (this.model.tellsTime || common.seconds < 0) this.model.skew = common.seconds * SECOND;
				return;
			case 'rescope':
				return this.rescope();
			default:
				return this.change(step as C);
		}
	}

	private rescope(): void {
		this.checkRepeats();
		this.counts.clear();
		this.engine.excused.clear();
		this.engine.forget();
		this.disarmed();
	}

	private async poll(step: PollStep<C>): Promise<void> {
		const from = this.engine.state;
		const before = new Map<number, () => void | Promise<void>>();
		for (const [call, change] of step.between ?? []) before.set(call, () => this.change(change));
		if (step.overlapAt) {
			before.set(step.overlapAt, async () => await this.poll({ kind: 'poll' }));
		}
		const result = await this.look(from, new Calls({ ...step, before })).catch(() => undefined);
		if (!result) return;
		if (new Set(result.events).size < result.events.length) {
			throw new Error('One poll gave an event twice');
		}
		const taken = this.engine.take(result, from, step.kill ?? 'none');
		this.count();
		if (!taken || from) return;
		if (result.events.length > 0) throw new Error('A first look gave events');
		this.engine.saveActivation();
		this.armed();
	}

	private count(): void {
		const fresh = this.engine.delivered.slice(this.counted);
		this.counted += fresh.length;
		for (const id of fresh) this.counts.set(id, (this.counts.get(id) ?? 0) + 1);
	}

	/** Nothing goes wrong any more, and there is time for everything. */
	private async settle(): Promise<void> {
		this.model.skew = 0;
		for (let quiet = 0; quiet < 4; quiet++) {
			this.model.now += 400 * SECOND;
			await this.poll({ kind: 'poll' });
		}
		if (!this.engine.state) throw new Error('The trigger never got going');
	}

	private checkRepeats(): void {
		for (const [id, times] of this.counts) {
			if (times > 1 && !this.engine.excused.has(id)) throw new Error(`${id} came ${times} times`);
		}
	}
}
