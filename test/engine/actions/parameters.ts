/** Parameters that several test files start from. */

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
