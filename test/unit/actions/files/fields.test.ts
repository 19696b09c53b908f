import {
	fileField,
	folderField,
	uploadFolderField,
} from '../../../../nodes/Wherobots/actions/files/fields';

it('choosing a storage keeps what was typed into the other fields', () => {
	// n8n empties a field whenever the field that it depends on changes.
	for (const field of [fileField, folderField, uploadFolderField]) {
		expect(field.typeOptions?.loadOptionsDependsOn).toBeUndefined();
	}
});
