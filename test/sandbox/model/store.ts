/** Everything that the sandbox knows, for handlers and for tests. */
import { credentials, type Caller, type CallerRole } from '../server/auth';
import type { Variants } from '../variants';
import { ApiKeyStore } from './apiKeys';
import { AuditStore, type AuditEvent, type AuditSource, type EventDraft } from './auditEvents';
import { CatalogStore } from './catalogs';
import { CloudConnectionStore } from './cloudConnections';
import { GeneratedEvents, type GeneratedOptions } from './generatedEvents';
import { people } from './people';
import { PresetStore } from './presets';
import type { StoreParts } from './records';
import type { RunPlans } from './runPlans';
import { RunStore, type RunDraft } from './runs';
import type { RunRecord, RunStatus } from './runTypes';
import { StorageStore } from './storages';
import { TaskStore } from './tasks';

type KnownCaller = Omit<Caller, 'scheme' | 'secret'>;

const fixedCallers = new Map<string, KnownCaller>(
	(Object.keys(credentials) as CallerRole[]).flatMap((role) => {
		const caller = { role, customerId: people[role].id };
		return [
			[`apiKey ${credentials[role].apiKey}`, caller],
			[`bearerToken ${credentials[role].bearerToken}`, caller],
		];
	}),
);

export class Store {
	readonly runs: RunStore;

	/** Events that were recorded one by one. */
	readonly auditEvents: AuditStore;

	readonly apiKeys: ApiKeyStore;

	readonly catalogs: CatalogStore;

	readonly cloudConnections: CloudConnectionStore;

	readonly presets: PresetStore;

	readonly storages: StorageStore;

	readonly tasks: TaskStore;

	private generated?: GeneratedEvents;

	private readonly variants: Variants;

	constructor(parts: StoreParts, plans: RunPlans) {
		this.variants = parts.variants;
		this.auditEvents = new AuditStore(parts);
		this.apiKeys = new ApiKeyStore(parts);
		this.catalogs = new CatalogStore(parts);
		this.cloudConnections = new CloudConnectionStore(parts);
		this.presets = new PresetStore(parts);
		this.storages = new StorageStore(parts);
		this.tasks = new TaskStore(parts);
		this.runs = new RunStore(parts, plans);
	}

	/** Adds a run; without a status it goes as planned, with one it stays there until moved. */
	createRun(draft?: RunDraft): RunRecord {
		return this.runs.create(draft);
	}

	/** Puts a run into a status, now or at another sandbox time. */
	moveRun(id: string, status: RunStatus | string, at?: number): RunRecord {
		return this.runs.move(id, status, at);
	}

	/** Adds lines to the log of a run; a `visibleAt` after `at` makes them late. */
	appendLog(id: string, lines: string[], times?: { at?: number; visibleAt?: number }): void {
		this.runs.appendLog(id, lines, times);
	}

	/** Records an audit event; a later `visibleAt` makes it a late one. */
	recordEvent(draft?: EventDraft, options?: { visibleAt?: number }): AuditEvent {
		return this.auditEvents.record(draft, options);
	}

	/**
	 * Responds from now on with events that are generated while they are read, instead of the recorded
	 * ones. `expected()` of the result tells bytes, rows and checksum of a whole export.
	 */
	useGeneratedEvents(options: GeneratedOptions): GeneratedEvents {
		this.generated = new GeneratedEvents(options, this.variants);
		return this.generated;
	}

	/** Where the events of audit responses come from. */
	get auditSource(): AuditSource {
		return this.generated ?? this.auditEvents;
	}

	/** The caller that has this key or token. */
	caller(scheme: Caller['scheme'], secret: string): KnownCaller | null {
		const fixed = fixedCallers.get(`${scheme} ${secret}`);
		if (fixed || scheme !== 'apiKey') return fixed ?? null;
		const customer = this.apiKeys.customerOf(secret);
		if (!customer) return null;
		// A service principal may do what a member may.
		const role = (Object.keys(credentials) as CallerRole[]).find(
			(each) => people[each].id === customer.id,
		);
		return { role: role ?? 'user', customerId: customer.id };
	}
}
