import { textField } from '../../parameters/declarations';
import { binaryFieldOption, optionsOf } from '../../parameters/fields';
import { nameOf } from '../../service/files';
import { downloadFile } from '../../transport/files/downloadFile';
import { mapOptions, readMapOptions, withMap } from '../operations/mapOutput';
import type { Operation } from '../operations/operation';
import { storeDownload } from '../operations/storeDownload';
import { fileField, readFile, storageField } from './fields';

const fileNameField = textField({
	displayName: 'File Name',
	name: 'fileName',
	placeholder: 'e.g. summary.csv',
	description: 'Name of the file in n8n. Defaults to its name in the storage.',
});

const [drawMap, mapColumn, mapTitle] = mapOptions;
const optionsField = optionsOf(drawMap, fileNameField, mapColumn, mapTitle, binaryFieldOption);

/** Types that say nothing about a file; n8n then goes by its name. */
const NO_TYPE = /^((application|binary)\/octet-stream|application\/x-www-form-urlencoded)?(;|$)/i;

export const download: Operation = {
	option: {
		name: 'Download',
		value: 'download',
		action: 'Download file',
		description: 'Download a file of any size from a storage',
	},
	fields: [storageField, fileField, optionsField],
	kind: 'read',
	async execute({ client, context, input }) {
		const place = readFile(input);
		const options = input.within(optionsField);
		const fileName = options.optionalText(fileNameField) ?? nameOf(place.path);
		const field = options.text(binaryFieldOption);
		const wanted = readMapOptions(options, fileName);
		const file = await withMap(context, wanted, async (watch) => {
			const { binary, tally } = await downloadFile(client, place, async (bytes, reader) => {
				const type = reader.response.headers['content-type'] ?? '';
				const mimeType = NO_TYPE.test(type) ? undefined : type.split(';')[0].trim();
				return await storeDownload(context, reader, watch(bytes), fileName, mimeType);
			});
			return { json: { ...place, fileName, ...tally }, binary: { [field]: binary } };
		});
		return [file];
	},
};
