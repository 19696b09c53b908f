/** The form of Get Rows. */
import {
	defineChoiceField,
	defineRecordField,
	defineRowsField,
	type Rule,
} from '../../form/declarations';
import { choose, definePicker } from '../../form/fields';
import { isVersion } from '../../service/tables/selectRows';
import { defineOutput } from '../sql/fields';
import { columnField, defineColumns } from './rowFilter';

export const readField = defineChoiceField<'current' | 'at' | 'added'>({
	displayName: 'Read',
	name: 'read',
	options: {
		current: 'Current Rows',
		added: [
			'Only Rows Added Since a Snapshot',
			'Rows added by inserts, without rows written by an update or a merge',
		],
		at: 'Rows at a Tag or Snapshot',
	},
	default: 'current',
	description: 'Which state of the table to read',
});

const defineVersion: Rule<string> = (text) =>
	isVersion(text) ? undefined : 'must be the ID of a snapshot, or a name without quotes and signs';

const byVersion = {
	placeholder: 'e.g. 3051729675574597004',
	hint: 'The ID of a snapshot, or the name of a tag',
};

export const atField = definePicker('searchVersions', 'Name', {
	displayName: 'Tag or Snapshot',
	name: 'at',
	description: 'The state of the table to read',
	displayOptions: { show: { read: ['at'] } },
	rule: defineVersion,
	...byVersion,
});

export const sinceField = definePicker('searchVersions', 'Name', {
	displayName: 'Since Snapshot',
	name: 'since',
	description: 'The snapshot after which the rows were added',
	displayOptions: { show: { read: ['added'] } },
	rule: defineVersion,
	...byVersion,
});

export const untilField = defineRecordField({
	displayName: 'Until Snapshot',
	name: 'until',
	description: 'The last snapshot whose rows are read. Defaults to the current one.',
	...choose('searchVersions', 'Name', byVersion),
	displayOptions: { show: { read: ['added'] } },
});

export const columnsField = defineColumns('multiOptions', {
	displayName: 'Column Names or IDs',
	name: 'columns',
	default: [],
	hint: 'All columns when none is chosen',
});

export const sortField = defineRowsField({
	displayName: 'Sort',
	name: 'sort',
	placeholder: 'Add column',
	description: 'The order of the rows. With Nearest to Point, rows are sorted by distance first.',
	row: {
		displayName: 'Column',
		name: 'by',
		values: [
			columnField,
			defineChoiceField({
				displayName: 'Direction',
				name: 'direction',
				options: { asc: 'Ascending', desc: 'Descending' },
				default: 'asc',
				description: 'Which rows come first',
			}),
		],
	},
});

export const outputField = defineOutput(
	'Geometries become WKT',
	'The table must have a geometry column',
);
