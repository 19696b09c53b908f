/** An expression in a field in Fixed mode, which n8n hands over as the text that was entered. */
import type { INodeParameters } from 'n8n-workflow';

import { by, uploadNode } from '../../support/files';
import { at, pythonRun } from '../actions/parameters';
import { suiteWithSandbox } from '../harness/suite';

const suite = suiteWithSandbox();

const apiKey = { resource: 'apiKey', operation: 'create', name: 'key' };

const AS_IT_IS =
	'To send this text unchanged, put it in a field of the item and refer to that field in an expression.';

describe('an expression that is not resolved', () => {
	const condition = [{ column: 'id', operator: 'equals', value: '{{ $json.id }}' }];
	const rows = { resource: 'table', operation: 'getRows', ...at('cat-org', 'surveys', 'places') };
	const task = { resource: 'taskRun', operation: 'create', taskName: by('list', 'a_recipe') };

	it.each<[string, INodeParameters]>([
		['Deduplication Key', { ...apiKey, options: { deduplicationKey: '{{ $json.secret }}' } }],
		['Python File', { ...pythonRun, pythonUri: 's3://bucket/{{$json.file}}.py' }],
		['Arguments', { ...pythonRun, arguments: ['--day', '={{ $json.day }}', '{{ $json.day }}'] }],
		['Folder', uploadNode({ folder: by('path', 'jobs/{{  $json.day }}') })],
		['Conditions', { ...rows, conditions: { condition } }],
		['Inputs (JSON)', { ...task, inputsFrom: 'json', inputsJson: '{"aoi": "{{ $json.aoi }}"}' }],
	])('is refused, without its text: %s', async (label, parameters) => {
		const { error } = await suite.run(parameters);
		expect(error?.message).toBe(
			`'${label}' contains {{: switch the field from Fixed to Expression`,
		);
		expect(error?.description).toBe(AS_IT_IS);
		expect(suite.requests.count).toBe(0);
	});
});

it.each([
	'{{ JSON.stringify($json.a) }}',
	"{{ $('Read').item.json.a }}",
	'{{ DateTime.now().toISO() }}',
	'day {{ $now.toISODate() }}',
	"{{ $fromAI('name') }}",
	'exports/{{ $itemIndex }}',
	'{{ {...$json}.a }}',
])('%s is one', async (name) => {
	const { error } = await suite.run({ ...apiKey, name });
	expect(error?.message).toMatch(/^'Name' contains {{/);
});

it.each(['{{ ds }}', '{{ .Values.name }}', '{{- $name := 1 }}', '{{ $.Values }}', '$json', '{{}}'])(
	'%s is a template of another system',
	async (text) => {
		const { json } = await suite.succeeds({ ...pythonRun, arguments: [text] });
		expect(json).toHaveLength(1);
		expect(suite.requests.of('createRun')[0].body).toMatchObject({ runPython: { args: [text] } });
	},
);

it.each(['$json.id', '=$json.id', " $('Read').item.json.a", '=$input.first().json.a'])(
	'%s is one without its braces',
	async (name) => {
		const { error } = await suite.run({ ...apiKey, name });
		expect(error?.message).toBe(
			"'Name' has an expression without braces: switch the field to Expression, and write it as {{ $json.id }}",
		);
		expect(suite.requests.count).toBe(0);
	},
);

it('a file may contain anything, and a record that was chosen any name', async () => {
	const text = { contentFrom: 'text', fileText: '{{ $json.a }}', fileName: 'a.txt' };
	await suite.succeeds(uploadNode(text));
	const [{ id }] = suite.store.apiKeys.all();
	const chosen = { ...by('list', id), cachedResultName: '{{ $json.a }}' };
	const expiry = { expiry: 'date', expiresAt: '2027-06-01T00:00:00Z' };
	await suite.succeeds({ resource: 'apiKey', operation: 'update', apiKeyId: chosen, ...expiry });
});

it('a text from an item may look like an expression', async () => {
	const name = '{{ $json.name }}';
	const { json } = await suite.succeeds(
		{ ...apiKey, name: '={{ $json.text }}' },
		{ input: [{ text: name }] },
	);
	expect(json).toMatchObject([{ name }]);
});
