import type { Operation } from '../operation';
import * as form from './exportFields';
import { exportFiles } from './exportFiles';
import { exportItems } from './exportItems';
import { hintIncompleteRange, readRange, serviceTime } from './exportRange';

export const exportOperation: Operation = {
	option: {
		name: 'Export',
		value: 'export',
		action: 'Export audit log',
		description:
			'Export the audit events of a time range as files or items, for example to archive them',
	},
	fields: form.exportFields,
	requestFields: {
		startTime: form.timeRangeField,
		endTime: form.timeRangeField,
		searchTerm: form.searchTermField,
	},
	kind: 'read',
	async execute(call) {
		const { input } = call;
		const range = readRange(call);
		if (input.choice(form.outputField) === 'items') {
			const items = await exportItems(call, range);
			hintIncompleteRange(call, range, serviceTime(call.client));
			return items;
		}
		return await exportFiles(call, range);
	},
};
