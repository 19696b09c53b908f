/** Insert Rows: each input item is a row of a table, checked before anything is sent. */
import { buildInsert } from '../../service/tables/writeRows';
import { defineRowField, readOnce, readRow, readRowForm, rowOptionsField } from './inputRows';
import { addRow, findEarlier } from './rowBatch';
import { defineTableStatement } from './sqlTable';

const rowField = defineRowField(
	'The values of each row. A geometry is WKT or GeoJSON; bytes are Base64; lists and structures are JSON. A column without a value is NULL.',
	{ mode: 'add', multiKeyMatch: false },
);

export const insertRows = defineTableStatement({
	name: 'Insert Rows',
	value: 'insertRows',
	action: 'Insert rows into table',
	description: 'Insert each input item as a row of a table, without SQL',
	hint:
		'If the workflow may run twice, the rows are inserted twice: use Insert or Update Rows then.',
	fields: [rowField],
	options: rowOptionsField,
	async execute(call) {
		const earlier = findEarlier(call);
		if (earlier) return earlier;
		const form = await readOnce(call, async () => await readRowForm(call, rowField));
		const { table, columns, settings, isAtomic, key } = form;
		const { cells } = readRow(call, form);
		return addRow(call, key, cells, () => ({
			...{ table, settings, isAtomic, isRepeatable: false },
			none: 'No row was inserted.',
			build: (source) => buildInsert(table.name, columns, source),
		}));
	},
});
