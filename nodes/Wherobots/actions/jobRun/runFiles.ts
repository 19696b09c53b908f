/** Tested by test/engine/actions/jobRun/create.upload.test.ts. */
import type { INodeProperties } from 'n8n-workflow';

import { defineTextField } from '../../form/declarations';
import { show } from '../../form/values';
import type { IfExists, UploadPlace } from '../../service/files';
import * as rules from '../../service/rules';
import { Failure, type Context } from '../../transport/failure';
import { resolveFolder } from '../../procedures/files';
import { computeSha256, storeFile, type StoredFile } from '../../procedures/storage';
import type { SubmissionState } from '../../procedures/runs/submit';
import { ExecutionStates } from '../execution/once';
import { readUploadFolder, storageField, uploadFolderField } from '../file/fields';
import {
	fileNameField,
	defineIfExistsField,
	inputBinaryField,
	readBinary,
	readBinaryFile,
	type NamedFile,
} from '../operations/itemFiles';
import type { Call } from '../operations/operation';
import { isNotebook, readNotebook } from './notebook';

const existingField = defineIfExistsField('replace');

const dependencyFieldsField = defineTextField({
	displayName: 'Dependency Fields',
	name: 'dependencyFields',
	placeholder: 'e.g. helpers, settings',
	description:
		'Fields of the input item with libraries (.jar, .whl, .zip) or JSON configuration files that the run needs, separated by commas. They are uploaded to dependencies/, in the default directory of the storage or in the folder that you choose.',
});

/** Where the files of a run come from and go to, when they are uploaded for it. */
export const uploadFields: INodeProperties[] = [
	inputBinaryField,
	storageField,
	uploadFolderField,
	fileNameField,
	dependencyFieldsField,
	existingField,
].map((field) => ({ ...field, displayOptions: { show: { programFrom: ['input', 'notebook'] } } }));

/** The files to upload before the run that needs them is submitted. */
export interface RunFiles {
	target: UploadPlace;
	program: NamedFile;
	dependencies: NamedFile[];
	ifExists: IfExists;
}

/**
 * @param fromNotebook whether the program is converted from a notebook
 * @throws Failure that names the field and the rule it breaks
 */
export async function readRunFiles(call: Call, fromNotebook: boolean): Promise<RunFiles> {
	const { input } = call;
	const ifExists = input.choice(existingField);
	const target = readUploadFolder(input);
	const program = fromNotebook ? await readNotebook(call) : await readBinaryFile(call);
	if (isNotebook(program.fileName)) {
		throw input.problem(
			inputBinaryField,
			`has the notebook ${show(program.fileName)}, which cannot be run as it is: set 'File From' to 'Notebook From Input'`,
		);
	}
	return { target, program, dependencies: await readDependencies(call), ifExists };
}

async function readDependencies(call: Call): Promise<NamedFile[]> {
	const field = dependencyFieldsField;
	const files: NamedFile[] = [];
	for (const property of call.input.list(field)) {
		const { fileName = '', source } = await readBinary(call, field, property);
		const problem = rules.checkDependencyFile(fileName);
		if (problem) {
			throw call.input.problem(
				field,
				`must name fields with dependencies: the name of the file in ${show(property)}, ${show(fileName)}, ${problem}`,
			);
		}
		// All dependencies of a run are placed in one folder.
		if (files.some((other) => other.fileName === fileName)) {
			throw call.input.problem(field, `must not name two files called ${show(fileName)}`);
		}
		files.push({ fileName, source });
	}
	return files;
}

/** What the items of a node have uploaded, by storage and path. */
const stored = new ExecutionStates(() => new Map<string, StoredFile>());

/**
 * Uploads the files of a run, each once for all items and for all attempts of Retry on Fail: the
 * program, then its dependencies.
 *
 * @throws Failure when another item has uploaded a different file to the same path, whose run may
 * not have read it yet; otherwise as `resolveFolder` and `storeFile` do
 */
export async function uploadRunFiles(
	{ client, context, itemIndex }: Call,
	{ target, program, dependencies, ifExists }: RunFiles,
	state: SubmissionState,
): Promise<StoredFile[]> {
	const ofItems = stored.ofRun(context, itemIndex);
	const uploads = (state.uploads ??= []);
	const store = async (kind: 'scripts' | 'dependencies', files: NamedFile[]) => {
		const { storageId, folder } = await resolveFolder(client, target, kind);
		for (const { fileName, source } of files) {
			const place = { storageId, path: folder + fileName };
			const key = JSON.stringify(place);
			const earlier = ofItems.get(key);
			if (earlier && earlier.sha256 !== (await computeSha256(source))) {
				throw new Failure({
					message: `Another item has uploaded a different file to "${place.path}"`,
					description: `Its run would get this file instead, so it was not uploaded. Set '${fileNameField.displayName}' or '${uploadFolderField.displayName}' to another one for each item.`,
					facts: { ...place },
				});
			}
			const file = earlier ?? (await storeFile(client, place, source, ifExists));
			if (file.uploaded) ofItems.set(key, file);
			uploads.push(file);
		}
	};
	if (uploads.length === 0) await store('scripts', [program]);
	const left = dependencies.slice(uploads.length - 1);
	if (left.length > 0) await store('dependencies', left);
	return uploads;
}

/** For the failure of a run that was not submitted: where its files are all the same. */
export function describeUploads(uploads: StoredFile[] = []): Context {
	const uploaded = uploads.filter((file) => file.uploaded).map(({ destination }) => destination);
	if (uploaded.length === 0) return {};
	const files = uploaded.length === 1 ? 'Its file' : 'Its files';
	return {
		after: `${files} had already been uploaded: ${uploaded.join(', ')}.`,
		facts: { uploaded },
	};
}
