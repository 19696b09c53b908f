/** Parameters that several test files start from. */
import { by } from '../../support/files';

/** A Python run with all that is required. */
export const pythonRun = {
	resource: 'jobRun',
	operation: 'create',
	name: 'nightly-etl-2026',
	runType: 'python',
	pythonUri: 's3://bucket/jobs/nightly_etl.py',
	runtime: { __rl: true, mode: 'list', value: 'tiny' },
	region: { __rl: true, mode: 'list', value: 'aws-us-west-2' },
};

/** An operation on a job run, by the ID of the run. */
export const ofRun =
	(operation: string) =>
	(runId: string, more: object = {}) => ({
		...{ resource: 'jobRun', operation, runId: by('id', runId) },
		...more,
	});

/** A catalog, a namespace in it, or a table or view in that, by their names. */
export const at = (catalogId: string, namespace?: string, table?: string) => ({
	catalogId: { __rl: true, mode: 'id', value: catalogId },
	...(namespace && { namespace: { __rl: true, mode: 'name', value: namespace } }),
	...(table && { table: { __rl: true, mode: 'name', value: table } }),
});
