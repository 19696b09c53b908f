/** An expression in a field in Fixed mode, which n8n hands over as the text that was entered. */
import type { INodeParameters } from 'n8n-workflow';

import { by, uploadNode } from '../../support/files';
import { at, pythonRun } from '../actions/parameters';
import { suiteWithSandbox } from '../harness/suite';

const suite = suiteWithSandbox();

const apiKey = { resource: 'apiKey', operation: 'create', name: 'key' };

describe('an expression that is not resolved', () => {
	const condition = [{ column: 'id', operator: 'equals', value: '{{ $json.id }}' }];
	const rows = { resource: 'table', operation: 'getRows', ...at('cat-org', 'surveys', 'places') };
	const task = { resource: 'taskRun', operation: 'create', taskName: by('list', 'a_recipe') };

	it.each<[string, INodeParameters]>([
		['Only Once for Key', { ...apiKey, options: { onceForKey: '{{ $json.secret }}' } }],
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
		expect(suite.requests.count).toBe(0);
	});
});

it('a text from an item may look like an expression', async () => {
	const name = '{{ $json.name }}';
	const { json } = await suite.succeeds(
		{ ...apiKey, name: '={{ $json.text }}' },
		{ input: [{ text: name }] },
	);
	expect(json).toMatchObject([{ name }]);
});
