import { type Sandbox } from '../../sandbox';
import { type N8nApi } from '../n8n/api';
import { Deliveries } from '../suite/deliveries';

const NEXT: Record<string, string> = { PENDING: 'RUNNING', RUNNING: 'COMPLETED' };

/** What happens in the service, and what the triggers have told of it. */
export class World extends Deliveries {
	/** Runs that have not ended, with the status that is to be told next. */
	private readonly going = new Map<string, string>();

	private made = 0;

	constructor(
		api: N8nApi,
		private readonly sandbox: Sandbox,
		{ runs, audit }: { runs: string; audit: string },
	) {
		super(api, [
			{ id: runs, trigger: 'Run changed' },
			{ id: audit, trigger: 'Event recorded' },
		]);
	}

	/** A new run, some events, and the next status of the runs whose present one has been told. */
	change(): void {
		const { store, clock } = this.sandbox;
		this.made += 1;
		for (const [id, status] of [...this.going]) {
			const next = NEXT[status];
			if (!this.counts.has(`run/${id}/${status}`)) continue;
			this.going.delete(id);
			if (!next) continue;
			store.moveRun(id, next);
			this.going.set(id, next);
			this.expected.add(`run/${id}/${next}`);
		}
		const { id } = store.createRun({ name: `followed-${this.made}`, status: 'PENDING' });
		this.going.set(id, 'PENDING');
		this.expected.add(`run/${id}/PENDING`);
		for (let index = 0; index < 3; index++) {
			// In bursts of equal times, and some of them late.
			const time = clock.now() - (this.made % 5 === 0 ? 60_000 : 0);
			this.expected.add(`audit/${store.recordEvent({ event_time: time }).event_id}`);
		}
	}
}
