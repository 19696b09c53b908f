/** Tested by test/engine/actions/runs/create.notebook.test.ts. */
import type { INodeProperties } from 'n8n-workflow';

import { defineSwitchField } from '../../form/declarations';
import { show } from '../../form/values';
import { parseJsonToSend } from '../../service/json';
import { checkNotebookParameters, convertNotebook } from '../../service/runs/notebooks';
import { computeSha256 } from '../../useCases/files/storage';
import { truncate } from '../../transport/text';
import { inputBinaryField, readBinaryFile, type NamedFile } from '../operations/itemFiles';
import { addHint, type Call } from '../operations/operation';

const parametersField: INodeProperties = {
	displayName: 'Notebook Parameters',
	name: 'notebookParameters',
	type: 'json',
	default: '{}',
	placeholder: 'e.g. {"day": "2026-01-31", "limit": 10}',
	description:
		'Values for variables of the notebook, as an object. They replace the values set in the cell tagged "parameters".',
};

const leaveOutMapsField = defineSwitchField({
	displayName: 'Skip Map Cells',
	name: 'leaveOutMapCells',
	default: true,
	description:
		'Whether to skip the cells that only draw a map with SedonaKepler or SedonaPyDeck, which nobody sees in a job run',
});

/** How a notebook is converted. */
export const notebookFields: INodeProperties[] = [parametersField, leaveOutMapsField].map(
	(field) => ({ ...field, displayOptions: { show: { programFrom: ['notebook'] } } }),
);

/** Python refuses a notebook: it is JSON. */
export const isNotebook = (path: string) => path.toLowerCase().endsWith('.ipynb');

/** Larger ones hold data rather than code. */
const MAX_BYTES = 64_000_000;
/** How many of the things that were left out the hint names. */
const MAX_NAMED = 10;

/**
 * The notebook in the chosen field of the input item as a Python file. Unless it is named by the form,
 * its name depends on its content: a script that another run has yet to read is not replaced.
 *
 * @throws Failure that names the field and the problem
 */
export async function readNotebook(call: Call): Promise<NamedFile> {
	const { input, context } = call;
	const parameters = input.json(parametersField, parseJsonToSend);
	const problem = checkNotebookParameters(parameters);
	if (problem) throw input.problem(parametersField, problem);
	const { fileName, source } = await readBinaryFile(call);
	const refused = (why: string) =>
		input.problem(inputBinaryField, `has the file ${show(fileName)}, which ${why}`);
	if (source.size > MAX_BYTES) throw refused('is too large for a notebook: clear its outputs');

	const content = await source.open();
	const blocks: Uint8Array[] = [];
	for await (const block of content instanceof Uint8Array ? [content] : content) blocks.push(block);
	const text = Buffer.concat(blocks).toString('utf8');
	const script = convertNotebook(text, parameters, input.flag(leaveOutMapsField));
	if ('problem' in script && script.unknown) {
		const names = script.unknown.join(', ');
		const what = `has ${names}, which is not in ${show(fileName)}: the notebook ${script.problem}`;
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
		message: `Not run as part of ${fileName}: ${named.join(' · ')}${more}.${installs}`,
	});
}
