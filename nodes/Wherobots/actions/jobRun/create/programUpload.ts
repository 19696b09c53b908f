import { NodeApiError, NodeOperationError, type INodeProperties } from 'n8n-workflow';

import type { IfExists } from '../../../service/files';
import type { Client } from '../../../transport/client';
import { amend } from '../../../transport/failures/errors';
import { storeFile, type StoredFile } from '../../../transport/files/uploadFile';
import type { SubmissionState } from '../../../transport/jobRuns/submit';
import { readUploadFolder, storageField, uploadFolderField } from '../../file/fields';
import {
	fileNameField,
	ifExistsField,
	inputBinaryField,
	readBinaryFile,
	type UploadRequest,
} from '../../file/uploadInput';
import type { Call } from '../../operations/operation';

const existingField = ifExistsField('replace');

/** Where a program comes from and goes to, when it is uploaded for the run. */
export const programFields: INodeProperties[] = [
	inputBinaryField,
	storageField,
	uploadFolderField,
	fileNameField,
	existingField,
].map((field) => ({ ...field, displayOptions: { show: { programFrom: ['input'] } } }));

/** A program to upload before the run that needs it is submitted. */
export interface ProgramUpload extends UploadRequest {
	ifExists: IfExists;
}

/** @throws NodeOperationError that names the field and the rule it breaks */
export async function readProgramUpload(call: Call): Promise<ProgramUpload> {
	const { input } = call;
	const ifExists = input.choice(existingField);
	return { ...(await readBinaryFile(call, readUploadFolder(input))), ifExists };
}

/** Uploads a program, once for all attempts of Retry on Fail. @throws as `storeFile` does */
export async function uploadProgram(
	client: Client,
	{ place, source, ifExists }: ProgramUpload,
	state: SubmissionState,
): Promise<string> {
	state.program ??= await storeFile(client, place, source, ifExists);
	return state.program.destination;
}

/** Says in the error of a run that was not submitted where its program is all the same. */
export function nameProgram(error: Error, program: StoredFile | undefined): void {
	if (!program?.uploaded) return;
	if (!(error instanceof NodeApiError) && !(error instanceof NodeOperationError)) return;
	amend(error, {
		after: `Its file had already been uploaded: ${program.destination}.`,
		facts: { uploaded: program.destination },
	});
}
