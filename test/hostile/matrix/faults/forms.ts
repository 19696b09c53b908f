/** Forms of responses that differ between descriptions of the service, or that are hard to read. */
import type { MatrixFault } from './types';
import { edit, ODD } from './words';

/** What a program in Python leaves behind: its own traceback, frames of the JVM, and the platform's traceback. */
const FAILED_LOG = [
	'Traceback (most recent call last):',
	'  File "/opt/job/roads.py", line 31, in <module>',
	'    frame = sedona.read.parquet(path)',
	'	at org.apache.spark.sql.catalyst.analysis.CheckAnalysis.checkAnalysis(CheckAnalysis.scala:160)',
	'ValueError: no roads in the input',
	...Array<string>(30).fill('	at java.base/java.lang.Thread.run(Thread.java:829)'),
	'ERROR run_submit: Subprocess finished with return code: 1',
	'Traceback (most recent call last):',
	'  File "/home/wherobots/run-scripts/run_submit.py", line 118, in <module>',
	'    sys.exit(main())',
	'RuntimeError: job failed with return code 1',
];

export const forms: MatrixFault[] = [
	{
		group: 'Variants',
		name: 'a run that failed, and a log that ends with the lines of the platform',
		only: 'getRun',
		mainOnly: true,
		fault: () => edit((run) => ({ ...run, status: 'FAILED', message: 'Job failed' })),
		also: {
			endpoint: 'getRunLogs',
			fault: {
				kind: 'edit',
				edit: () => ({
					items: FAILED_LOG.map((raw, at) => ({ timestamp: at + 1, raw })),
					current_page: 0,
					next_page: null,
				}),
			},
		},
		expect: 'data',
		cause: /ValueError: no roads in the input[^]*roads\.py/,
	},
	{
		group: 'Variants',
		name: 'folders whose names end with a slash, and paths from the root of the bucket',
		only: 'listDirectory',
		fault: () =>
			edit((entry) => ({
				...entry,
				name: entry.type === 'FOLDER' ? `${String(entry.name)}/` : entry.name,
				path: `/prefix/of/the/bucket/${String(entry.path)}`,
			})),
		expect: 'result',
		cause: ODD,
	},
	{
		group: 'Variants',
		name: 'costs that do not know the workload',
		only: 'getCosts',
		fault: () =>
			({
				kind: 'edit',
				edit: (json: { costs: Record<string, unknown> }) => ({
					costs: Object.fromEntries(
						Object.keys(json.costs).map((id) => [
							id,
							{ kind: 'unavailable', kube_app_id: id, reason: 'not_found' },
						]),
					),
				}),
			}) as never,
		// The figures of a run that has only begun differ between the two.
		adds: [
			...['cost', 'costRounded', 'spatialUnits', 'spatialUnitsRounded'],
			...['costSource', 'costStatus', 'settledAt', 'lastEvaluatedAt'],
		],
		expect: 'result',
		cause: ODD,
	},
];
