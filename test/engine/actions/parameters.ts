/** Parameters that several test files start from. */
import { by } from '../../support/files';

/** A Python run with all that is required. */
export const pythonRun = {
	resource: 'jobRun',
	operation: 'create',
	name: 'nightly-etl-2026',
	runType: 'python',
	pythonUri: by('path', 's3://bucket/jobs/nightly_etl.py'),
	runtime: by('list', 'tiny'),
	region: by('list', 'aws-us-west-2'),
};

/** Operations of a resource, with parameters that all of them have. */
export const operationsOf =
	(resource: string, shared: object = {}) =>
	(operation: string, more: object = {}) => ({ resource, operation, ...shared, ...more });

/** An operation on a job run, by the ID of the run. */
export const ofRun =
	(operation: string) =>
	(runId: string, more: object = {}) => ({
		...{ resource: 'jobRun', operation, runId: by('id', runId) },
		...more,
	});

/** A catalog, a namespace in it, or a table or view in that, by their names. */
export const at = (catalogId: string, namespace?: string, table?: string) => ({
	catalogId: by('id', catalogId),
	...(namespace && { namespace: by('name', namespace) }),
	...(table && { table: by('name', table) }),
});
