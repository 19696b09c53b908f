/** What n8n's database remembers for nodes, in place of which stands a set. */
import { DataDeduplicationService } from 'n8n-core';
import type { IDataDeduplicator } from 'n8n-workflow';

/** n8n-core is loaded once for several test files, which share its service. */
const service: typeof DataDeduplicationService & {
	notes?: Set<unknown>;
	/** Whether another execution is about to write what it has read before. */
	overwrites?: boolean;
} = DataDeduplicationService;

const notes = (service.notes ??= startRemembering());

function startRemembering(): Set<unknown> {
	const all = new Set<unknown>();
	const deduplicator: Partial<IDataDeduplicator> = {
		checkProcessedAndRecord: async (items) => {
			const processed = items.filter((item) => all.has(item));
			const fresh = items.filter((item) => !all.has(item));
			for (const item of items) all.add(item);
			if (service.overwrites) {
				service.overwrites = false;
				for (const item of fresh) all.delete(item);
			}
			return await Promise.resolve({ new: fresh, processed });
		},
		removeProcessed: async (items) => {
			for (const item of items) all.delete(item);
			return await Promise.resolve();
		},
	};
	void DataDeduplicationService.init(deduplicator as IDataDeduplicator);
	return all;
}

export function forgetNotes(): void {
	notes.clear();
}

/** Has another execution overwrite what is noted next. */
export function overwriteNextNotes(): void {
	service.overwrites = true;
}
