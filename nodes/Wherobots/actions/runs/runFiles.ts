/** Tested by test/engine/actions/runs/create.upload.test.ts and create.notebook.test.ts. */
import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { defineSwitchField, defineTextField, type Rule } from '../../form/declarations';
import { show } from '../../form/values';
import type { UploadPlace } from '../../service/files';
import { parseJsonToSend } from '../../service/json';
import { checkNotebookParameters, convertNotebook } from '../../service/runs/notebooks';
import { changeProgram, type RunRequest } from '../../service/runs/runRequests';
import * as rules from '../../service/rules';
import { Failure, type Context } from '../../transport/failure';
import { truncate } from '../../transport/text';
import { resolveFolder } from '../../useCases/files/files';
import {
	computeSha256,
	type Existing,
	storeFile,
	type StoredFile,
} from '../../useCases/files/storage';
import { readUploadFolder, storageField, uploadFolderField } from '../files/fields';
import * as form from '../operations/itemFiles';
import { addHint, type Call } from '../operations/operation';

const existingField = form.defineIfExistsField('replace');

const fileNameField: INodeProperties = {
	...form.fileNameField,
	description:
		'Name of the file in the storage. Leave empty to use that of the input file; for a notebook, eight characters that identify its content and .py are added.',
};

const dependencyFieldsField = defineTextField({
	displayName: 'Dependency Binary Fields',
	name: 'dependencyFields',
	placeholder: 'e.g. helpers, settings',
	description:
		'Fields of the input item with libraries (.jar, .whl, .zip) or JSON configuration files, separated by commas. They are uploaded to dependencies/ in the chosen folder; with Default Folder, beside scripts/.',
});

const parametersField: INodeProperties = {
	displayName: 'Notebook Parameters',
	name: 'notebookParameters',
	type: 'json',
	default: '{}',
	placeholder: 'e.g. {"day": "2026-01-31", "limit": 10}',
	description:
		'Values for variables of the notebook, as a JSON object. They replace the values set in the cell tagged "parameters".',
};

const leaveOutMapsField = defineSwitchField({
	displayName: 'Skip Map Cells',
	name: 'leaveOutMapCells',
	default: true,
	description:
		'Whether to skip the cells that only draw a map with SedonaKepler or SedonaPyDeck, which nobody sees in a job run',
});

export const showWhen = (show: Record<string, string[]>, ...fields: INodeProperties[]) =>
	fields.map((field) => ({ ...field, displayOptions: { show } }));

/** Where the files of a run come from and go to, when they are uploaded for it; how a notebook is converted. */
export const uploadFields: INodeProperties[] = [
	...showWhen({ programFrom: ['input', 'notebook'] }, form.inputBinaryField),
	...showWhen(
		{ runType: ['python'], programFrom: ['notebook'] },
		...[parametersField, leaveOutMapsField],
	),
	...showWhen(
		{ programFrom: ['input', 'notebook'] },
		...[storageField, uploadFolderField, fileNameField, dependencyFieldsField, existingField],
	),
];

/** Python refuses a notebook: it is JSON. */
export const isNotebook = (path: string) => path.toLowerCase().endsWith('.ipynb');

/** Larger ones hold data rather than code. */
const MAX_BYTES = 64_000_000;
/** How many of the things that were left out the hint names. */
const MAX_NAMED = 10;

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
	const existing = form.readExisting(input, existingField);
	const target = readUploadFolder(input);
	const program = fromNotebook ? await readNotebook(call) : await form.readBinaryFile(call);
	if (isNotebook(program.fileName)) {
		throw input.problem(
			form.inputBinaryField,
			`has the notebook ${show(program.fileName)}, which cannot be run as it is: set 'Program From' to 'Notebook From Input'`,
		);
	}
	const wrong = checkName(program.fileName);
	if (wrong && input.optionalText(form.fileNameField))
		throw input.problem(form.fileNameField, wrong);
	const what = wrong ?? (program.source.size === 0 ? 'is empty' : undefined);
	if (what) {
		throw input.problem(
			form.inputBinaryField,
			`has the file ${show(program.fileName)}, which ${what}`,
		);
	}
	const dependencies = await readDependencies(call);
	return new RunFiles(call, { target, program, dependencies, existing }, asked);
}

async function readDependencies(call: Call): Promise<form.NamedFile[]> {
	const field = dependencyFieldsField;
	const files: form.NamedFile[] = [];
	for (const property of call.input.list(field)) {
		const { fileName = '', source } = await form.readBinary(call, field, property);
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

/**
 * The notebook in the chosen field of the input item as a Python file. Unless it is named by the form,
 * its name depends on its content: a script that another run has yet to read is not replaced.
 *
 * @throws Failure that names the field and the problem
 */
async function readNotebook(call: Call): Promise<form.NamedFile> {
	const { input, context } = call;
	const parameters = input.json(parametersField, parseJsonToSend);
	const problem = checkNotebookParameters(parameters);
	if (problem) throw input.problem(parametersField, problem);
	const { fileName, source } = await form.readBinaryFile(call);
	const refused = (why: string) =>
		input.problem(form.inputBinaryField, `has the file ${show(fileName)}, which ${why}`);
	if (source.size > MAX_BYTES) throw refused('is larger than 64 MB: clear its outputs');

	const content = await source.open();
	const blocks: Uint8Array[] = [];
	for await (const block of content instanceof Uint8Array ? [content] : content) blocks.push(block);
	const text = Buffer.concat(blocks).toString('utf8');
	const script = convertNotebook(text, parameters, input.flag(leaveOutMapsField));
	if ('problem' in script && script.unknown) {
		const names = script.unknown.join(', ');
		const what = `has ${names}, but ${show(fileName)} ${script.problem}`;
		throw input.problem(parametersField, what);
	}
	if ('problem' in script) throw refused(script.problem);
	addLeftOutHint(context, fileName, script.leftOut);
	const bytes = Buffer.from(script.text, 'utf8');
	const file = { size: bytes.length, open: async () => bytes };
	if (fileName.toLowerCase().endsWith('.py')) return { fileName, source: file };
	const name = fileName.replace(/\.ipynb$/i, '').slice(0, 200);
	return { fileName: `${name}-${(await computeSha256(file)).slice(0, 8)}.py`, source: file };
}

function addLeftOutHint(context: Call['context'], fileName: string, leftOut: string[]): void {
	if (leftOut.length === 0) return;
	const named = leftOut.slice(0, MAX_NAMED).map((each) => truncate(each, 80));
	const more = leftOut.length > MAX_NAMED ? ` and ${leftOut.length - MAX_NAMED} more` : '';
	const installs = leftOut.some((each) => /\b(pip|conda) install\b/.test(each))
		? " Add what it installs to 'PyPI Packages'."
		: '';
	addHint(context, {
		message: `Left out of ${fileName}: ${named.join(' · ')}${more}.${installs}`,
	});
}

interface Upload {
	target: UploadPlace;
	program: form.NamedFile;
	dependencies: form.NamedFile[];
	existing: Existing;
}

/** What is uploaded for a run before it is submitted: its program, then its dependencies. */
export class RunFiles {
	/** Those that are in the storage, in all attempts of Retry On Fail. */
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

	private async store(kind: 'scripts' | 'dependencies', files: form.NamedFile[]): Promise<void> {
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
					description: `That item's run would read this file instead, so this file was not uploaded. Set '${form.fileNameField.displayName}' or '${uploadFolderField.displayName}' to a different value for each item.`,
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
function addFiles(request: RunRequest, [program, ...dependencies]: StoredFile[]): RunRequest {
	const { region, payload } = changeProgram(request, { uri: program.destination });
	if (dependencies.length === 0) return { region, payload };
	const environment = (payload.environment ?? {}) as IDataObject & { dependencies?: IDataObject[] };
	const paths = dependencies.map(({ destination }) => destination);
	const others = (environment.dependencies ?? []).filter(
		({ filePath }) => !paths.includes(String(filePath)),
	);
	const files = paths.map((filePath) => ({ sourceType: 'FILE', filePath }));
	const changed = { ...environment, dependencies: [...others, ...files] };
	return { region, payload: { ...payload, environment: changed } };
}
