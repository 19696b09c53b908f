/** What n8n's database remembers for nodes, in place of which stands a set. */
import { DataDeduplicationService } from 'n8n-core';
import type { IDataDeduplicator } from 'n8n-workflow';

/** What may happen to what is noted or removed next. */
type Trouble =
	/** Another execution writes what it has read before. */
	| 'overwrites'
	/** Another execution that has read what is removed writes it back. */
	| 'restores'
	/** Another execution looks at the same key, which adds a note for a moment. */
	| 'looks'
	/** The database is locked. */
	| 'locked';

/** n8n-core is loaded once for several test files, which share its service. */
const service: typeof DataDeduplicationService & { notes?: Set<unknown>; trouble?: Trouble } =
	DataDeduplicationService;

const notes = (service.notes ??= startRemembering());

function meets(trouble: Trouble): boolean {
	if (service.trouble !== trouble) return false;
	service.trouble = undefined;
	return true;
}

function startRemembering(): Set<unknown> {
	const all = new Set<unknown>();
	const deduplicator: Partial<IDataDeduplicator> = {
		checkProcessedAndRecord: async (items) => {
			if (meets('locked')) throw new Error('SQLITE_BUSY: database is locked');
			if (meets('looks')) return await Promise.resolve({ new: [], processed: items });
			const processed = items.filter((item) => all.has(item));
			const fresh = items.filter((item) => !all.has(item));
			for (const item of items) all.add(item);
			if (meets('overwrites')) for (const item of fresh) all.delete(item);
			return await Promise.resolve({ new: fresh, processed });
		},
		removeProcessed: async (items) => {
			if (!meets('restores')) for (const item of items) all.delete(item);
			return await Promise.resolve();
		},
	};
	void DataDeduplicationService.init(deduplicator as IDataDeduplicator);
	return all;
}

export function forgetNotes(): void {
	notes.clear();
	service.trouble = undefined;
}

/** Has something happen to the notes, once. */
export function troubleNotes(trouble: Trouble): void {
	service.trouble = trouble;
}
