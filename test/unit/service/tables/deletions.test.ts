import type { IDataObject } from 'n8n-workflow';

import { findDeletion } from '../../../../nodes/Wherobots/service/tables/catalogs';

/** Snapshots one after the other, as Iceberg's summaries tell them. */
const tableOf = (...summaries: IDataObject[]): IDataObject => ({
	snapshots: summaries.map((summary, at) => ({
		'snapshot-id': at + 1,
		'parent-snapshot-id': at === 0 ? null : at,
		summary,
	})),
	refs: { main: { 'snapshot-id': summaries.length } },
});

const append = { operation: 'append', 'added-records': '10' };
const nothing = { operation: 'delete', 'total-delete-files': '0' };
const rowsAfter = (before: string | undefined, ...summaries: IDataObject[]) =>
	findDeletion(tableOf(...summaries), before)?.rows;

describe('a deletion', () => {
	it.each<[string, IDataObject, number]>([
		['whole files', { operation: 'delete', 'deleted-records': '10' }, 10],
		[
			'rows of files that are written anew',
			{ operation: 'overwrite', 'deleted-records': '10', 'added-records': '7' },
			3,
		],
		[
			'rows that are marked',
			{ operation: 'delete', 'added-position-deletes': '3', 'total-delete-files': '1' },
			3,
		],
		[
			'rows in a file whose marks are written anew',
			{
				...{ operation: 'delete', 'added-position-deletes': '5', 'removed-position-deletes': '3' },
				...{ 'total-delete-files': '1' },
			},
			2,
		],
		[
			'what is left of a file, with its marks',
			{
				...{ operation: 'delete', 'deleted-records': 10, 'removed-position-deletes': 5 },
				...{ 'removed-delete-files': 1, 'total-delete-files': 0 },
			},
			5,
		],
		['nothing', nothing, 0],
	])('of %s', (_, summary, rows) => {
		expect(findDeletion(tableOf(append, summary), '1')).toEqual({
			...{ rows, snapshotId: '2', previousSnapshotId: '1' },
		});
	});

	it.each<[string, IDataObject]>([
		[
			'files of which rows may have been marked before',
			{ operation: 'delete', 'deleted-records': '10', 'total-delete-files': '1' },
		],
		[
			'files with rows that were marked by their values',
			{ operation: 'delete', 'deleted-records': '10', 'removed-equality-deletes': '2' },
		],
		['more rows than it had', { operation: 'overwrite', 'added-records': '7' }],
		['what is no number', { operation: 'delete', 'deleted-records': 'many' }],
	])('of %s has no certain number', (_, summary) => {
		expect(findDeletion(tableOf(append, summary), '1')).toMatchObject({
			snapshotId: '2',
			rows: undefined,
		});
	});

	it('is found among rows that others add and files that they rewrite', () => {
		const gone = { operation: 'delete', 'deleted-records': '4' };
		const rewritten = { operation: 'replace', 'deleted-records': '9', 'added-records': '9' };
		expect(findDeletion(tableOf(append, append, gone, rewritten, append), '1')).toEqual({
			...{ rows: 4, snapshotId: '3', previousSnapshotId: '2' },
		});
	});

	it('is not told apart from another one, from an update, or from what is unknown', () => {
		const gone = { operation: 'delete', 'deleted-records': '4' };
		expect(rowsAfter('1', append, gone, gone)).toBeUndefined();
		const update = { operation: 'overwrite', 'deleted-records': '4', 'added-records': '4' };
		expect(rowsAfter('1', append, update, gone)).toBeUndefined();
		expect(rowsAfter('1', append, gone, {})).toBeUndefined();
	});

	it('is not known where the details do not show it', () => {
		expect(rowsAfter('1', append)).toBeUndefined();
		expect(rowsAfter('7', append, nothing)).toBeUndefined();
		expect(findDeletion({ snapshots: null }, undefined)).toBeUndefined();
		// Rolled back to the first one.
		const back = { ...tableOf(append, nothing), refs: { main: { 'snapshot-id': 1 } } };
		expect(findDeletion(back, '1')).toBeUndefined();
	});

	it('may be the first that is done to a table', () => {
		expect(rowsAfter(undefined, nothing)).toBe(0);
		expect(findDeletion({ snapshots: [] }, undefined)).toBeUndefined();
	});
});
