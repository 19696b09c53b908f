import type { IDataObject } from 'n8n-workflow';

import { TaskRun, findRunPath } from '../../../../nodes/Wherobots/service/records/taskRun';

describe('the path that runs a task', () => {
	it.each<[string, IDataObject]>([
		['nothing', {}],
		['no description', { paths: [] }],
		['odd values', { paths: { '/tasks/{name}/run': null, '/tasks/{name}/runs': { post: 5 } } }],
		['a task whose runs can only be read', { paths: { '/tasks/{name}/runs': { get: {} } } }],
		['a run of a schedule', { paths: { '/tasks/{name}/triggers/{id}/run': { post: {} } } }],
		['the path of a task by its ID', { paths: { '/tasks/{task_id}/runs': { post: {} } } }],
		// Appended to the base URL, it would name another host.
		['a path without a slash', { paths: { '@example.com/tasks/{task}/run': { post: {} } } }],
	])('is not found in %s', (_, description) => {
		expect(findRunPath(description)).toBeUndefined();
	});

	it.each<[string, string, IDataObject]>([
		['one that takes the name', '/tasks/{taskName}/run', { '/tasks/{name}/run': { post: {} } }],
		['the other one', '/tasks/{taskName}/runs', { '/tasks/{task_name}/runs': { post: {} } }],
	])('is %s: %s', (_, path, paths) => {
		expect(findRunPath({ paths })).toBe(path);
	});
});

it('a task run from a list has no results', () => {
	const run = { taskRunId: 'npqy9q19q4wlm3', state: 'SUCCEEDED' };
	expect(new TaskRun(run).simplify()).not.toHaveProperty('results');
	expect(new TaskRun({ ...run, results: null }).simplify()).toHaveProperty('results', null);
});

it('a simplified task run shows the message of a failure without codes for colors', () => {
	const run = new TaskRun({ taskRunId: 't1', errorMessage: '\u001b[1;31mboom\u001b[0m' });
	expect(run.simplify()).toMatchObject({ errorMessage: 'boom' });
});
