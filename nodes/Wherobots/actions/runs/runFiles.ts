/** Tested by test/engine/actions/runs/create.upload.test.ts. */
import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { defineTextField, type Rule } from '../../form/declarations';
import { show } from '../../form/values';
import type { UploadPlace } from '../../service/files';
import type { RunRequest } from '../../service/runs/runRequests';
import * as rules from '../../service/rules';
import { Failure, type Context } from '../../transport/failure';
import { resolveFolder } from '../../useCases/files/files';
import {
	computeSha256,
	type Existing,
	storeFile,
	type StoredFile,
} from '../../useCases/files/storage';
import { readUploadFolder, storageField, uploadFolderField } from '../files/fields';
import {
	fileNameField,
	defineIfExistsField,
	inputBinaryField,
	readBinary,
	readBinaryFile,
	readExisting,
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
		'Fields of the input item with libraries (.jar, .whl, .zip) or JSON configuration files, separated by commas. They are uploaded to dependencies/ in the chosen folder.',
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

/**
 * Reads and checks the files of a run.
 *
 * @param fromNotebook whether the program is converted from a notebook
 * @param asked what an AI agent asked for
 * @param checkName the rule for the name of the program
 * @throws Failure that names the field and the rule it breaks
 */
export async function readRunFiles(
	call: Call,
	fromNotebook: boolean,
	asked: unknown,
	checkName: Rule<string>,
): Promise<RunFiles> {
	const { input } = call;
	const existing = readExisting(input, existingField);
	const target = readUploadFolder(input);
	const program = fromNotebook ? await readNotebook(call) : await readBinaryFile(call);
	if (isNotebook(program.fileName)) {
		throw input.problem(
			inputBinaryField,
			`has the notebook ${show(program.fileName)}, which cannot be run as it is: set 'Program From' to 'Notebook From Input'`,
		);
	}
	const wrong = checkName(program.fileName);
	if (wrong && input.optionalText(fileNameField)) throw input.problem(fileNameField, wrong);
	const what = wrong ?? (program.source.size === 0 ? 'is empty' : undefined);
	if (what) {
		throw input.problem(inputBinaryField, `has the file ${show(program.fileName)}, which ${what}`);
	}
	const dependencies = await readDependencies(call);
	return new RunFiles(call, { target, program, dependencies, existing }, asked);
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

interface Upload {
	target: UploadPlace;
	program: NamedFile;
	dependencies: NamedFile[];
	existing: Existing;
}

/** What is uploaded for a run before it is submitted: its program, then its dependencies. */
export class RunFiles {
	/** Those that are in the storage, in all attempts of Retry on Fail. */
	private readonly stored: StoredFile[];

	constructor(
		private readonly call: Call,
		private readonly upload: Upload,
		asked: unknown,
	) {
		this.stored = call.memory.item<StoredFile[]>('files', asked).get(() => []);
	}

	/**
	 * Uploads the files, each once for all items and all attempts.
	 *
	 * @returns the request with their addresses
	 * @throws Failure when another item has uploaded a different file to the same path, whose run may
	 * not have read it yet; otherwise as `resolveFolder` and `storeFile` do
	 */
	async addTo(request: RunRequest): Promise<RunRequest> {
		const { program, dependencies } = this.upload;
		if (this.stored.length === 0) await this.store('scripts', [program]);
		const left = dependencies.slice(this.stored.length - 1);
		if (left.length > 0) await this.store('dependencies', left);
		return addFiles(request, this.stored);
	}

	/** For the output: where they are. */
	get facts(): IDataObject {
		const [program, ...dependencies] = this.stored.map(({ destination }) => destination);
		return program === undefined
			? {}
			: { program, ...(dependencies.length > 0 ? { dependencies } : {}) };
	}

	/** For the failure of a run that was not submitted: where its files are all the same. */
	get context(): Context {
		const uploaded = this.stored.filter((file) => file.uploaded).map((file) => file.destination);
		if (uploaded.length === 0) return {};
		const files = uploaded.length === 1 ? 'Its file' : 'Its files';
		return {
			after: `${files} had already been uploaded: ${uploaded.join(', ')}.`,
			facts: { uploaded },
		};
	}

	private async store(kind: 'scripts' | 'dependencies', files: NamedFile[]): Promise<void> {
		const { client, memory, noteCreated } = this.call;
		const { target, existing } = this.upload;
		const folder = await resolveFolder(client, target, kind);
		for (const { fileName, source } of files) {
			const place = { ...folder, path: folder.path + fileName };
			const shared = memory.run<StoredFile>('file', place);
			const earlier = shared.value;
			if (earlier && earlier.sha256 !== (await computeSha256(source))) {
				throw new Failure({
					message: `Another item has uploaded a different file to "${place.path}"`,
					description: `That item's run would read this file instead, so this file was not uploaded. Set '${fileNameField.displayName}' or '${uploadFolderField.displayName}' to a different value for each item.`,
					facts: { ...place },
				});
			}
			const file = earlier ?? (await storeFile(client, place, source, existing));
			this.stored.push(file);
			if (!file.uploaded) continue;
			shared.value = file;
			noteCreated({ id: file.destination, name: file.path });
		}
	}
}

/** The request with the addresses of an uploaded program and of its dependencies. */
function addFiles(
	{ region, payload }: RunRequest,
	[program, ...dependencies]: StoredFile[],
): RunRequest {
	const kind = payload.runPython ? 'runPython' : 'runJar';
	const uri = program.destination;
	const whole = { ...payload, [kind]: { ...(payload[kind] as IDataObject), uri } };
	if (dependencies.length === 0) return { region, payload: whole };
	const environment = (payload.environment ?? {}) as IDataObject & { dependencies?: IDataObject[] };
	const paths = dependencies.map(({ destination }) => destination);
	const others = (environment.dependencies ?? []).filter(
		({ filePath }) => !paths.includes(String(filePath)),
	);
	const files = paths.map((filePath) => ({ sourceType: 'FILE', filePath }));
	const changed = { ...environment, dependencies: [...others, ...files] };
	return { region, payload: { ...whole, environment: changed } };
}
