import {
	fileField,
	folderField,
	uploadFolderField,
} from '../../../../nodes/Wherobots/actions/file/fields';

it('choosing a storage leaves what is typed in the other fields', () => {
	// n8n empties a field that depends on another one whenever that changes.
	for (const field of [fileField, folderField, uploadFolderField]) {
		expect(field.typeOptions?.loadOptionsDependsOn).toBeUndefined();
	}
});
