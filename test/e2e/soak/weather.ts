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

	/** Every kind of fault of an endpoint has its turn, however short the soak is. */
	private readonly next: Array<[EndpointId, Iterator<() => Fault, never>]>;

	constructor(
		private readonly sandbox: Sandbox,
		private readonly choices: Choices,
	) {
		this.next = [...READS, 'createRun' as const].map((endpoint) => [
			endpoint,
			choices.rounds(faultsOf(endpoint, choices)),
		]);
	}

	/** Takes away the faults that have been met, and gives each endpoint without one another, later. */
	change(): void {
		for (const each of this.active.filter(({ handle, times }) => handle.hits >= times)) {
			this.end(each);
			this.restUntil.set(each.endpoint, Date.now() + REST_MS);
		}
		for (const [endpoint, faults] of this.next) {
			const isBusy = this.active.some((each) => each.endpoint === endpoint);
			if (isBusy || Date.now() < (this.restUntil.get(endpoint) ?? 0)) continue;
			const fault = faults.next().value();
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
}

/** What may go wrong with requests of an endpoint. */
function faultsOf(endpoint: EndpointId, choices: Choices): Array<() => Fault> {
	const status = () => choices.of(STATUSES);
	const common: Array<() => Fault> = [
		() => ({ kind: 'status', status: 429, retryAfter: 1 }),
		() => ({ kind: 'delay', ms: choices.between(100, 2_000) }),
	];
	if (endpoint === 'createRun') {
		// Most of these leave open whether the run was submitted.
		return [
			...common,
			() => ({ kind: 'status', status: status(), when: 'after' }),
			() => ({ kind: 'status', status: status(), when: 'before' }),
			() => ({ kind: 'reset', when: 'after' }),
			() => ({ kind: 'reset', when: 'before' }),
			() => ({ kind: 'truncate' }),
		];
	}
	common.push(
		() => ({ kind: 'status', status: status(), body: choices.of(BODIES) }),
		() => ({ kind: 'reset', when: choices.of(['before', 'after'] as const) }),
	);
	if (endpoint === 'exportAuditLog') {
		const bytes = () => choices.between(1, MOST_BYTES);
		return [
			...common,
			() => ({ kind: 'cut', bytes: bytes(), how: choices.of(['reset', 'close'] as const) }),
			// Two or three times, it stalls for three seconds.
			() => ({ kind: 'trickle', bytes: 600_000, everyMs: 3_000 }),
			() => ({ kind: 'html' }),
		];
	}
	return [
		...common,
		() => ({ kind: 'truncate' }),
		() => ({ kind: 'cut', bytes: choices.between(1, 100), how: 'reset' }),
	];
}

function nameOf(fault: Fault): string {
	if (fault.kind === 'status') return `status ${fault.status}`;
	return 'when' in fault && fault.when === 'after' ? `${fault.kind} after handling` : fault.kind;
}
