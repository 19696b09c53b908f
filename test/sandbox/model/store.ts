/** Everything that the sandbox knows, for handlers and for tests. */
import type { SandboxClock } from '../clock';
import type { Ids } from '../ids';
import { credentials, type Caller, type CallerRole } from '../server/auth';
import type { Timings } from '../variants';
import { people } from './people';
import type { RunPlans } from './runPlans';
import { RunStore, type RunDraft } from './runs';
import type { RunRecord, RunStatus } from './runTypes';

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

export interface StoreParts {
	clock: SandboxClock;
	timings: Timings;
	plans: RunPlans;
	ids: Ids;
}

export class Store {
	readonly runs: RunStore;

	constructor({ clock, timings, plans, ids }: StoreParts) {
		this.runs = new RunStore(clock, timings, plans, ids);
	}

	/** Adds a run; without a status it goes as planned, with one it stays there until moved. */
	createRun(draft?: RunDraft): RunRecord {
		return this.runs.create(draft);
	}

	/** Puts a run into a status, now or at another sandbox time. */
	moveRun(id: string, status: RunStatus | string, at?: number): RunRecord {
		return this.runs.move(id, status, at);
	}

	/** Who has this key or token. */
	caller(scheme: Caller['scheme'], secret: string): KnownCaller | null {
		return fixedCallers.get(`${scheme} ${secret}`) ?? null;
	}
}
