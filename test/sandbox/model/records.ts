import type { SandboxClock } from '../clock';
import type { Ids } from '../ids';
import { found } from '../server/errors';
import type { Timings } from '../timings';
import type { Variants } from '../variants';

/** What stores of records need. */
export interface StoreParts {
	clock: SandboxClock;
	timings: Timings;
	variants: Variants;
	ids: Ids;
}

/** Records of one kind, in the order in which they were made. */
export class Records<Kept extends { id: string }> {
	private readonly byId = new Map<string, Kept>();

	/** @param what as errors call one of them */
	constructor(
		protected readonly parts: StoreParts,
		private readonly what: string,
	) {}

	all(): Kept[] {
		return [...this.byId.values()];
	}

	get(id: string): Kept | undefined {
		return this.byId.get(id);
	}

	/** @throws ServiceError when there is none */
	existing(id: string): Kept {
		return found(this.get(id), this.what, id);
	}

	delete({ id }: Kept): void {
		this.byId.delete(id);
	}

	protected add(record: Kept): Kept {
		this.byId.set(record.id, record);
		return record;
	}
}
