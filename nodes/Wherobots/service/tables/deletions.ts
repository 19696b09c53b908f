/** How many rows a deletion has removed, as the snapshots of its table say. */
import type { IDataObject } from 'n8n-workflow';

import { findCommit, getParentId } from './catalogs';

/**
 * The deletion since a snapshot: `rows` is undefined where its snapshot does not tell them for certain.
 * One that finds no rows makes a snapshot, too.
 *
 * @param before the current snapshot when the deletion began; undefined for a table without any
 * @returns undefined when the details do not show it, or show others that could be it
 */
export function findDeletion(table: IDataObject, before: string | undefined) {
	const snapshot = findCommit(table, before, ['append', 'replace']);
	return (
		snapshot && {
			rows: countDeletedRows(snapshot.summary ?? {}),
			snapshotId: String(snapshot['snapshot-id']),
			previousSnapshotId: getParentId(snapshot),
		}
	);
}

/** Rows go with their files, of which what stays is written anew, or are marked by their positions. */
function countDeletedRows(summary: IDataObject): number | undefined {
	const numberOf = (name: string) => Number(summary[name] ?? 0);
	const inFiles = numberOf('deleted-records') - numberOf('added-records');
	const marked = numberOf('added-position-deletes') - numberOf('removed-position-deletes');
	// Rows of the files that went may have been marked before, without a word of it here.
	const hasMarks = numberOf('total-delete-files') + numberOf('removed-equality-deletes') > 0;
	const isCertain = inFiles + marked >= 0 && !(hasMarks && numberOf('deleted-records') > 0);
	return isCertain ? inFiles + marked : undefined;
}
