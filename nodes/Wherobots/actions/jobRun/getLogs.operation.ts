import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import * as rules from '../../service/rules';
import { binaryFieldOption, jobRunField } from '../../parameters/fields';
import type { Input } from '../../parameters/input';
import { item, items } from '../../parameters/items';
import type { Call, Operation } from '../operation';
import { MAX_TOOL_ITEMS } from '../../parameters/toolUse';
import { readLog, type LogResult, type Selection } from '../../transport/jobRuns/logReading';

const OUTPUTS = ['items', 'text', 'file'] as const;
const SELECTIONS = ['all', 'first', 'last'] as const;
const DEFAULT_LATE_SECONDS = 30;
const DEFAULT_FOLLOW_MINUTES = 60;

export const getLogs: Operation = {
	option: {
		name: 'Get Logs',
		value: 'getLogs',
		action: 'Get job run logs',
		description: 'Get the log lines of a job run, all of them or the first or last ones',
	},
	fields: [
		jobRunField,
		{
			displayName: 'Lines',
			name: 'lines',
			type: 'options',
			options: [
				{ name: 'All', value: 'all' },
				{ name: 'First', value: 'first' },
				{ name: 'Last', value: 'last' },
			],
			default: 'all',
			description: 'Which lines of the log to return',
		},
		{
			displayName: 'Number of Lines',
			name: 'lineCount',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 100,
			description: 'How many lines to return',
			displayOptions: { show: { lines: ['first', 'last'] } },
		},
		{
			displayName: 'Output',
			name: 'output',
			type: 'options',
			options: [
				{ name: 'One Item per Line', value: 'items' },
				{ name: 'One Text', value: 'text', description: 'One item with all lines in one field' },
				{
					name: 'File',
					value: 'file',
					description: 'A text file for the nodes that store or send files',
				},
			],
			default: 'items',
			description: 'How to return the lines',
		},
		{
			displayName: 'Options',
			name: 'options',
			type: 'collection',
			placeholder: 'Add option',
			default: {},
			options: [
				{
					displayName: 'File Name',
					name: 'fileName',
					type: 'string',
					default: '',
					placeholder: 'e.g. nightly-etl.log',
					description: 'Name of the file. Defaults to the ID of the run.',
				},
				{
					displayName: 'Follow Until the Run Ends',
					name: 'follow',
					type: 'boolean',
					default: false,
					description: 'Whether to read on while the run is going, and return when it has ended',
				},
				{
					displayName: 'Max Follow Time (Minutes)',
					name: 'maxFollowMinutes',
					type: 'number',
					typeOptions: { minValue: 1 },
					default: DEFAULT_FOLLOW_MINUTES,
					description: 'How long to follow the run. What has been read by then is returned.',
				},
				binaryFieldOption,
				{
					displayName: 'Wait for Late Lines (Seconds)',
					name: 'lateSeconds',
					type: 'number',
					typeOptions: { minValue: 0 },
					default: DEFAULT_LATE_SECONDS,
					description:
						'Lines arrive a little after a run has ended. The log counts as complete when it has been quiet for this long.',
				},
			],
		},
	],
	kind: 'read',
	async execute(call) {
		const { client, context, input } = call;
		const runId = input.text('runId', 'Job Run', rules.pathValue);
		const output = input.choice('output', 'Output', OUTPUTS, 'items');
		const result = await readLog(client, runId, {
			selection: readSelection(input),
			followMs: readFollowMs(input),
			quietMs:
				1000 *
				(input.optionalInteger(
					'options.lateSeconds',
					'Wait for Late Lines (Seconds)',
					rules.atLeast(0),
				) ?? DEFAULT_LATE_SECONDS),
		});
		if (!result.complete) {
			context.addExecutionHints({
				message: `Job run "${result.run.name}" is still ${result.run.status}: more log lines may come.`,
			});
		}
		return await render(call, output, runId, result);
	},
};

function readSelection(input: Input): Selection {
	const which = input.choice('lines', 'Lines', SELECTIONS, 'all');
	const most = input.isToolUse ? MAX_TOOL_ITEMS : Infinity;
	// The end of a log says most about how the run went.
	if (which === 'all') return most < Infinity ? { which: 'last', count: most } : { which };
	const count = input.integer('lineCount', 'Number of Lines', rules.atLeast(1));
	return { which, count: Math.min(count, most) };
}

function readFollowMs(input: Input): number {
	if (!input.flag('options.follow')) return 0;
	const minutes = input.optionalInteger(
		'options.maxFollowMinutes',
		'Max Follow Time (Minutes)',
		rules.atLeast(1),
	);
	return 60_000 * (minutes ?? DEFAULT_FOLLOW_MINUTES);
}

async function render(
	{ context, input }: Call,
	output: (typeof OUTPUTS)[number],
	runId: string,
	{ run, lines, complete }: LogResult,
): Promise<INodeExecutionData[]> {
	if (output === 'items') return items(lines as unknown as IDataObject[]);
	const text = lines.map((line) => line.raw).join('\n');
	const facts = { runId, status: run.status, lineCount: lines.length, complete };
	if (output === 'text') return [item({ ...facts, text })];

	const fileName = input.optionalText('options.fileName', 'File Name') ?? `${runId}.log`;
	const field =
		input.optionalText('options.binaryPropertyName', 'Put Output File in Field') ?? 'data';
	const file = await context.helpers.prepareBinaryData(
		Buffer.from(text === '' ? '' : `${text}\n`, 'utf8'),
		fileName,
		'text/plain',
	);
	return [{ json: { ...facts, fileName }, binary: { [field]: file } }];
}
