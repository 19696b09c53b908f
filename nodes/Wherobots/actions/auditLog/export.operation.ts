import type { INodeExecutionData } from 'n8n-workflow';

import { divide, type Window } from '../../service/time/windows';
import { binaryFieldOption } from '../../parameters/fields';
import type { Input } from '../../parameters/input';
import type { Call, Operation } from '../operation';
import * as form from './exportFields';
import { exportFile, extensionOf, type FileOptions } from './exportFile';
import { exportItems } from './exportItems';
import { hintAtRange, readRange, serviceTime, type Range } from './exportRange';
import { fileNameOf, fileNameProblem, hasPlaceholder } from './fileName';

/** More files than 90 days have hours; a range with more is a slip of the year. */
const MAX_FILES = 10_000;

export const exportOperation: Operation = {
	option: {
		name: 'Export',
		value: 'export',
		action: 'Export audit log',
		description: 'Export the audit events of a time range as files or items, for an archive',
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
			hintAtRange(call, range, serviceTime(call.client));
			return items;
		}
		return await exportFiles(call, range);
	},
};

async function exportFiles(call: Call, range: Range): Promise<INodeExecutionData[]> {
	const options = readFileOptions(call.input);
	const files = nameFiles(call.input, range, options);
	const isStored = existingFiles(call.input);
	const items: INodeExecutionData[] = [];
	for (const { window, fileName } of files) {
		if (!isStored(fileName)) items.push(await exportFile(call, range, window, fileName, options));
	}
	hintAtRange(call, range, serviceTime(call.client));
	return items;
}

function readFileOptions(input: Input): FileOptions {
	const options = input.within(form.optionsField);
	return {
		format: options.choice(form.formatField),
		compress: options.flag(form.compressField),
		removeDuplicates: options.flag(form.removeDuplicatesField),
		neutralizeFormulas: options.flag(form.neutralizeFormulasField),
		binaryPropertyName: options.text(binaryFieldOption),
	};
}

interface NamedWindow {
	window: Window;
	fileName: string;
}

/** The files of a range, once it is certain that no two of them, or of the next execution, share a name. */
function nameFiles(input: Input, range: Range, options: FileOptions): NamedWindow[] {
	const split = input.choice(form.splitField);
	const pattern = input.within(form.optionsField).text(form.fileNameField, fileNameProblem);
	const nameOf = (window: Window) =>
		fileNameOf(pattern, window, range.calendar, extensionOf(options));

	const files: NamedWindow[] = [];
	const names = new Set<string>();
	if (range.isRelative && hasPlaceholder(pattern)) {
		const length = range.end - range.start;
		names.add(nameOf({ start: range.start - length, end: range.start }));
	}
	for (const window of divide(range, split, range.calendar)) {
		const fileName = nameOf(window);
		if (names.has(fileName)) {
			throw input.problem(
				form.fileNameField,
				`must be another one for each file: "${fileName}" comes twice`,
				'Add {start}, or as many of {year}, {month}, {day} and {hour} as the files need.',
			);
		}
		names.add(fileName);
		files.push({ window, fileName });
		if (files.length > MAX_FILES) {
			throw input.problem(form.splitField, `makes more than ${MAX_FILES} files of this range`);
		}
	}
	return files;
}

/** Tells of a file whether it is stored already, perhaps in a folder that the pattern does not name. */
function existingFiles(input: Input): (fileName: string) => boolean {
	const stored = input.within(form.optionsField).list(form.skipExistingField);
	if (stored.length === 0) return () => false;
	const known = new Set<string>();
	for (const name of stored) {
		const parts = name.split('/');
		for (let from = 0; from < parts.length; from++) known.add(parts.slice(from).join('/'));
	}
	return (fileName) => known.has(fileName);
}
