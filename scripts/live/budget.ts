/** What a check costs, at most and so far. */
import { clock } from '../../nodes/Wherobots/transport/clock';
import { isRecord } from './mask';

const HOUR = 3_600_000;

/** Spatial Units an hour at most, as published, where the service does not say. */
const PUBLISHED = { id: 'tiny', unitsPerHour: 5 };

export interface Runtime {
	id: string;
	unitsPerHour: number;
}

/** The smallest runtime that the account may use, by what the service says of them. */
export function smallestRuntime(hint: unknown): Runtime {
	const { runtimes } = (isRecord(hint) ? hint : {}) as { runtimes?: { hint?: unknown } };
	const all = Array.isArray(runtimes?.hint) ? runtimes.hint.filter(isRecord) : [];
	const [smallest] = all
		.filter(({ id, enabled }) => typeof id === 'string' && enabled !== false)
		.map(({ id, maximumSpatialUnitsPerHour: units }) => ({
			...{ id: String(id), unitsPerHour: typeof units === 'number' ? units : Infinity },
		}))
		.sort((one, other) => one.unitsPerHour - other.unitsPerHour);
	return smallest && Number.isFinite(smallest.unitsPerHour) ? smallest : PUBLISHED;
}

export class Budget {
	private spentHours = 0;

	private sessionSince?: number;

	/**
	 * @param limit in dollars
	 * @param rate dollars for a Spatial Unit
	 */
	constructor(
		readonly limit: number,
		readonly rate: number,
		readonly runtime: Runtime,
	) {}

	/** Dollars so far, by the time that job runs and the session have taken, their start included. */
	get spent(): number {
		const session = this.sessionSince === undefined ? 0 : clock.now() - this.sessionSince;
		return this.dollars(this.spentHours + session / HOUR);
	}

	/** Whether so many hours more stay below the limit. */
	allows(hours: number): boolean {
		return this.spent + this.dollars(hours) <= this.limit;
	}

	/** A job run took so long, or could. */
	add(hours: number): void {
		this.spentHours += hours;
	}

	/** From now on, a session runs until it is ended. */
	startSession(): void {
		this.sessionSince ??= clock.now();
	}

	endSession(): void {
		if (this.sessionSince !== undefined) this.add((clock.now() - this.sessionSince) / HOUR);
		this.sessionSince = undefined;
	}

	private dollars(hours: number): number {
		return hours * this.runtime.unitsPerHour * this.rate;
	}
}
