/** The snapshots of a table, as its details list them (Iceberg's table metadata). */
import type { IDataObject } from 'n8n-workflow';

import type { Version } from './sql/tableWriter';
import { isRecord } from './types';

interface Snapshot extends IDataObject {
	'snapshot-id': string | number;
	'parent-snapshot-id'?: string | number | null;
	summary?: IDataObject | null;
}

export function snapshotsOf({ snapshots }: IDataObject): Snapshot[] {
	const list = Array.isArray(snapshots) ? (snapshots as unknown[]) : [];
	return list.filter((each): each is Snapshot => isRecord(each) && Boolean(each['snapshot-id']));
}

/** The ID of the snapshot that a tag or a branch points at, or that is given itself. */
export function snapshotId({ refs }: IDataObject, version: string): string {
	const ref = isRecord(refs) ? refs[version] : undefined;
	return isRecord(ref) ? String(ref['snapshot-id']) : version;
}

interface Appends {
	/** Oldest first; the last one is `until`. */
	versions: Version[];
	/** Snapshots that changed rows in another way, with what they did. */
	others: string[];
}

/**
 * Where the rows are that were appended after a snapshot, up to another one. A snapshot that rewrites
 * files, such as a compaction, hides which rows are new: those before it are read before it.
 *
 * @returns undefined when the one does not come before the other, or the details do not show it
 */
export function appendsBetween(
	table: IDataObject,
	since: string,
	until: string,
): Appends | undefined {
	const byId = new Map(snapshotsOf(table).map((each) => [String(each['snapshot-id']), each]));
	const steps: Snapshot[] = [];
	for (let id = until; id !== since; ) {
		const snapshot = byId.get(id);
		if (!snapshot) return undefined;
		byId.delete(id);
		steps.unshift(snapshot);
		id = String(snapshot['parent-snapshot-id'] ?? '');
	}
	let versions: Version[] = [];
	let others: string[] = [];
	let added: string[] = [];
	let at = since;
	for (const snapshot of steps) {
		const operation = String(snapshot.summary?.operation ?? 'unknown');
		const id = String(snapshot['snapshot-id']);
		if (operation === 'append') added = [...added, id];
		else if (operation !== 'replace') others = [...others, `${id} (${operation})`];
		// A deletion removes whole files or marks rows; what is left is where it was.
		if (!['append', 'delete'].includes(operation) && added.length > 0) {
			versions = [...versions, { at, added }];
			added = [];
		}
		at = id;
	}
	const isLast = added.length > 0 || versions.length === 0;
	return { versions: isLast ? [...versions, { at: until, added }] : versions, others };
}
