import type { IDataObject } from 'n8n-workflow';

import { runPathOf } from '../../../nodes/Wherobots/service/taskRuns';

describe('the path that runs a task', () => {
	it.each<[string, IDataObject]>([
		['nothing', {}],
		['no description', { paths: [] }],
		['odd values', { paths: { '/tasks/{name}/run': null, '/tasks/{name}/runs': { post: 5 } } }],
		['a task whose runs can only be read', { paths: { '/tasks/{name}/runs': { get: {} } } }],
		['a run of a schedule', { paths: { '/tasks/{name}/triggers/{id}/run': { post: {} } } }],
		// Appended to the base URL, it would name another host.
		['a path without a slash', { paths: { '@example.com/tasks/{task}/run': { post: {} } } }],
	])('is not found in %s', (_, description) => {
		expect(runPathOf(description)).toBeUndefined();
	});
});
