import { credentials, type Caller, type CallerRole } from '../server/auth';
import { ApiKeyStore } from './apiKeys';
import { AuditStore, type EventDraft } from './auditEvents';
import { CatalogStore } from './catalogs';
import { CloudConnectionStore } from './cloudConnections';
import { GeneratedEvents, type GeneratedOptions } from './generatedEvents';
import { people } from './people';
import { PresetStore } from './presets';
import type { StoreParts } from './records';
import type { RunPlans } from './runPlans';
import { RunStore, type RunDraft } from './runs';
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

export type Store = ReturnType<typeof createStore>;

/** Everything that the sandbox knows, for handlers and for tests. */
export function createStore(parts: StoreParts, plans: RunPlans) {
	const runs = new RunStore(parts, plans);
	const auditEvents = new AuditStore(parts);
	const apiKeys = new ApiKeyStore(parts, 'API key');
	return {
		runs,
		/** Events that were recorded one by one. */
		auditEvents,
		apiKeys,
		catalogs: new CatalogStore(parts, 'Catalog'),
		cloudConnections: new CloudConnectionStore(parts, 'Cloud connection'),
		presets: new PresetStore(parts, 'Preset'),
		storages: new StorageStore(parts, 'Storage'),
		tasks: new TaskStore(parts),

		/** Adds a run; without a status it goes as planned, with one it stays there until moved. */
		createRun: (draft?: RunDraft) => runs.create(draft),

		/** Puts a run into a status, now or at another sandbox time. */
		moveRun: (id: string, status: string, at?: number) => runs.move(id, status, at),

		/** Records an audit event; with an earlier time it is a late one. */
		recordEvent: (draft?: EventDraft) => auditEvents.record(draft),

		generated: undefined as GeneratedEvents | undefined,

		/**
		 * Exports from now on events that are generated while they are read, instead of the recorded
		 * ones. `expected()` of the result tells bytes, rows and checksum of a whole export.
		 */
		useGeneratedEvents(options: GeneratedOptions) {
			return (this.generated = new GeneratedEvents(options, parts.variants));
		},

		/** The caller that has this key or token. */
		caller(scheme: Caller['scheme'], secret: string): KnownCaller | null {
			const fixed = fixedCallers.get(`${scheme} ${secret}`);
			if (fixed || scheme !== 'apiKey') return fixed ?? null;
			const customer = apiKeys.customerOf(secret);
			if (!customer) return null;
			// A service principal may do what a member may.
			const role = (Object.keys(credentials) as CallerRole[]).find(
				(each) => people[each].id === customer.id,
			);
			return { role: role ?? 'user', customerId: customer.id };
		},
	};
}
