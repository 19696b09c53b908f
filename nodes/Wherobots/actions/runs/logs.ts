/** Get Logs, of job runs and of task runs. */
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { jobRunPart, taskRunPart } from '../../form/address';
import {
	defineChoiceField,
	defineCountField,
	defineSwitchField,
	defineTextField,
} from '../../form/declarations';
import { binaryFieldOption, defineOptions } from '../../form/fields';
import { type Input, MAX_TOOL_ITEMS } from '../../form/input';
import { toItem } from '../../form/output';
import { toLogTime } from '../../service/runs/logLines';
import { explain, toExplanationFields } from '../../useCases/runs/explainRun';
import { fetchLog, type LogResult, type Selection } from '../../useCases/runs/logs';
import { fetchTaskLog } from '../../useCases/runs/taskRuns';
import { addHint, type Call, addNoResultsHint, type Operation } from '../operations/operation';

const linesField = defineChoiceField({
	displayName: 'Lines',
	name: 'lines',
	options: { all: 'All', first: 'First', last: 'Last' },
	default: 'last',
	description: 'Which lines of the log to return',
});

const lineCountField = defineCountField({
	displayName: 'Number of Lines',
	name: 'lineCount',
	default: 100,
	description: 'How many lines to return',
	displayOptions: { show: { lines: ['first', 'last'] } },
});

const outputField = defineChoiceField<'items' | 'text' | 'file'>({
	displayName: 'Output',
	name: 'output',
	options: {
		items: 'One Item per Line',
		text: ['Text', 'One item with all lines in one field'],
		file: ['File', 'A text file that other nodes can store or send'],
	},
	default: 'items',
	description: 'How to return the lines',
});

const fileNameField = defineTextField({
	displayName: 'File Name',
	name: 'fileName',
	placeholder: 'e.g. nightly-etl.log',
	description: "Name of the file when 'Output' is File. Defaults to the ID of the run with .log.",
});

const followField = defineCountField({
	displayName: 'Follow For (Minutes)',
	name: 'followMinutes',
	default: 60,
	description:
		'How long to keep reading while the run is active. The node returns when the run ends or, at the latest, after this time, with the lines read so far.',
});

const lateField = defineCountField({
	displayName: 'Wait for Lines (Seconds)',
	name: 'lateSeconds',
	typeOptions: { minValue: 0 },
	default: 30,
	description:
		'How long to wait for further log lines after a run has ended. If none arrive in this time, the log counts as complete. Enter 0 not to wait.',
});

const onlyProgramField = defineSwitchField({
	displayName: 'Skip Platform Lines',
	name: 'leaveOutPlatformLines',
	description:
		"Whether to skip lines written by Wherobots Cloud and Spark, except Spark's errors, and to remove progress bars and colors",
});

const displayOptions = { show: { '/output': ['file'] } };
const fileNameOption = { ...fileNameField, displayOptions };
const fileFieldOption = { ...binaryFieldOption, displayOptions };

const optionsField = defineOptions(
	fileNameOption,
	followField,
	lateField,
	onlyProgramField,
	fileFieldOption,
);

export const getLogs: Operation = {
	name: 'Get Logs',
	value: 'getLogs',
	action: 'Get job run logs',
	description: 'Get the log of a job run: its last lines, its first lines or all of it',
	hint: 'Errors of Job Run: Create with Wait for Completion, and the items of the trigger, already include the cause of a failure.',
	fields: [jobRunPart.field, linesField, lineCountField, outputField, optionsField],
	kind: 'read',
	async execute(call) {
		const { client, context, input } = call;
		const runId = input.text(jobRunPart.field);
		const options = input.within(optionsField);
		const output = input.choice(outputField);
		// Checked before the log is followed.
		if (output === 'file') options.text(binaryFieldOption);
		const result = await fetchLog(client, runId, {
			selection: readSelection(input),
			followMs: 60_000 * (options.optionalInteger(followField) ?? 0),
			quietMs: 1000 * options.integer(lateField),
			onlyProgram: options.flag(onlyProgramField),
		});
		if (!result.complete) {
			addHint(context, {
				message: `Job run "${result.run.name}" is still ${result.run.status}: more log lines may follow.`,
			});
		}
		if (result.complete && result.lines.length === 0) {
			addNoResultsHint(call, 'lines', [], `in the log of job run "${result.run.name}"`);
		}
		return await render(call, output, runId, result);
	},
};

const taskOptionsField = defineOptions(fileNameOption, fileFieldOption);

export const getTaskLogs: Operation = {
	name: 'Get Logs',
	value: 'getLogs',
	action: 'Get task run logs',
	description: 'Get the log of a task run: its last lines, its first lines or all of it',
	fields: [taskRunPart.field, linesField, lineCountField, outputField, taskOptionsField],
	kind: 'read',
	async execute(call) {
		const { client, input } = call;
		const taskRunId = input.text(taskRunPart.field);
		const lines = await fetchTaskLog(client, taskRunId, readSelection(input));
		if (lines.length === 0) {
			addNoResultsHint(call, 'lines', [], `in the log of task run ${taskRunId} yet`);
		}
		const output = input.choice(outputField);
		if (output !== 'items') {
			const texts = lines.map(({ message }) => String(message ?? ''));
			const facts = { taskRunId, lineCount: lines.length };
			return await outputWholeLog(call, output, taskRunId, texts, facts);
		}
		return lines.map(({ timestamp = null, level = null, message = null }) =>
			toItem({ time: timestamp, level, line: message, taskRunId }),
		);
	},
};

/** Reads `linesField` and `lineCountField`. */
function readSelection(input: Input): Selection {
	const which = input.choice(linesField);
	const most = input.isToolUse ? MAX_TOOL_ITEMS : Infinity;
	// For a tool, the end of a log says most about how the run went.
	if (which === 'all') return most < Infinity ? { which: 'last', count: most } : { which };
	const count = input.integer(lineCountField);
	return { which, count: Math.min(count, most) };
}

async function render(
	call: Call,
	output: 'items' | 'text' | 'file',
	runId: string,
	log: LogResult,
): Promise<INodeExecutionData[]> {
	const { run, lines, complete } = log;
	if (output === 'items') {
		return lines.map(({ timestamp, raw }) =>
			toItem({ time: toLogTime(timestamp) ?? timestamp ?? null, line: raw, runId }),
		);
	}
	const facts = {
		...{ runId, status: run.shownStatus, lineCount: lines.length, complete },
		...(log.failure ? toExplanationFields(explain(log, run.message)) : {}),
	};
	const texts = lines.map((line) => line.raw);
	return await outputWholeLog(call, output, runId, texts, facts);
}

/** The lines of a log as one item with their text, or with a file of it, beside what is known of the run. */
async function outputWholeLog(
	{ context, input }: Call,
	output: 'text' | 'file',
	runId: string,
	lines: string[],
	facts: IDataObject,
): Promise<INodeExecutionData[]> {
	const text = lines.join('\n');
	if (output === 'text') return [toItem({ ...facts, text })];

	const options = input.within(optionsField);
	const fileName = options.optionalText(fileNameField) ?? `${runId}.log`;
	const field = options.text(binaryFieldOption);
	const file = await context.helpers.prepareBinaryData(
		Buffer.from(text === '' ? '' : `${text}\n`, 'utf8'),
		fileName,
		'text/plain',
	);
	return [{ json: { ...facts, fileName }, binary: { [field]: file } }];
}
