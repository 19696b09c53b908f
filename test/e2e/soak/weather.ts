import { type EndpointId, type Fault, type FaultHandle, type Sandbox } from '../../sandbox';
import { type Choices } from '../../sandbox/seed/random';

/** Reads that may go wrong, one fault each at a time: the package gets over every one by itself. */
const READS: EndpointId[] = ['listRuns', 'queryAuditLog', 'getRun', 'getRunLogs', 'exportAuditLog'];

const STATUSES = [500, 502, 503, 504];
const BODIES = ['json', 'html', 'empty', 'detail', 'plain'] as const;

/** How much of an export arrives before it breaks, at most. */
const MOST_BYTES = 200_000;

/** So long after a fault there is none: five tries in a row that fail end a request for good. */
const REST_MS = 20_000;

interface Active {
	endpoint: EndpointId;
	kind: string;
	times: number;
	handle: FaultHandle;
}

/** Random faults of the service, each for one or two requests. */
export class Weather {
	/** How many requests were hit, by the kind of the fault. */
	readonly hits = new Map<string, number>();

	private active: Active[] = [];

	private readonly restUntil = new Map<EndpointId, number>();

	constructor(
		private readonly sandbox: Sandbox,
		private readonly choices: Choices,
	) {}

	/** Takes away the faults that have been met, and gives each endpoint without one another, later. */
	change(): void {
		for (const each of this.active.filter(({ handle, times }) => handle.hits >= times)) {
			this.end(each);
			this.restUntil.set(each.endpoint, Date.now() + REST_MS);
		}
		for (const endpoint of [...READS, 'createRun' as const]) {
			const isBusy = this.active.some((each) => each.endpoint === endpoint);
			if (isBusy || Date.now() < (this.restUntil.get(endpoint) ?? 0)) continue;
			const fault = endpoint === 'createRun' ? this.forSubmission() : this.forRead(endpoint);
			const times = this.choices.between(1, 2);
			const handle = this.sandbox.faults.add({ endpoint, times, fault });
			this.active.push({ endpoint, kind: nameOf(fault), times, handle });
		}
	}

	/** From now on the service behaves. */
	clear(): void {
		for (const each of [...this.active]) this.end(each);
	}

	private end(over: Active): void {
		const { kind, handle } = over;
		handle.remove();
		if (handle.hits > 0) this.hits.set(kind, (this.hits.get(kind) ?? 0) + handle.hits);
		this.active = this.active.filter((each) => each !== over);
	}

	private forRead(endpoint: EndpointId): Fault {
		const { choices } = this;
		const common: Fault[] = [
			{ kind: 'status', status: choices.of(STATUSES), body: choices.of(BODIES) },
			{ kind: 'status', status: 429, retryAfter: 1 },
			{ kind: 'reset', when: choices.of(['before', 'after'] as const) },
			{ kind: 'delay', ms: choices.between(100, 2_000) },
		];
		const bytes = choices.between(1, MOST_BYTES);
		const broken: Fault[] =
			endpoint === 'exportAuditLog'
				? [
						{ kind: 'cut', bytes, how: choices.of(['reset', 'close'] as const) },
						{ kind: 'stall', bytes, ms: 3_000 },
						{ kind: 'html' },
					]
				: [{ kind: 'truncate' }, { kind: 'cut', bytes: choices.between(1, 100), how: 'reset' }];
		return choices.of([...common, ...broken]);
	}

	/** Most of these leave open whether the run was submitted. */
	private forSubmission(): Fault {
		const { choices } = this;
		return choices.of<Fault>([
			{ kind: 'status', status: 429, retryAfter: 1 },
			{ kind: 'status', status: choices.of(STATUSES), when: 'after' },
			{ kind: 'status', status: choices.of(STATUSES), when: 'before' },
			{ kind: 'reset', when: 'after' },
			{ kind: 'reset', when: 'before' },
			{ kind: 'truncate' },
			{ kind: 'delay', ms: choices.between(100, 2_000) },
		]);
	}
}

function nameOf(fault: Fault): string {
	if (fault.kind === 'status') return `status ${fault.status}`;
	return 'when' in fault && fault.when === 'after' ? `${fault.kind} after handling` : fault.kind;
}
