import * as rules from '../../service/rules';
import { isRunMetrics, simplifyMetrics } from '../../service/jobRuns/metrics';
import { jobRunField } from '../../parameters/fields';
import { shapeFields, shape } from '../../parameters/shape';
import { readRecord } from '../../transport/records';
import type { Operation } from '../operation';

export const getMetrics: Operation = {
	option: {
		name: 'Get Metrics',
		value: 'getMetrics',
		action: 'Get job run metrics',
		description: 'Get the CPU, memory and GPU usage of a job run, and what it has consumed',
	},
	fields: [jobRunField, ...shapeFields],
	kind: 'read',
	async execute({ client, input }) {
		const runId = input.text(jobRunField, rules.pathValue);
		const response = await readRecord(client, 'getRunMetrics', { path: { run_id: runId } });
		if (!isRunMetrics(response)) {
			throw client.error({
				message: 'Wherobots Cloud returned an unexpected response',
				description:
					'It does not contain metrics. Check whether a newer version of this package is available.',
				facts: { runId },
			});
		}
		return shape(input, [response], (metrics) => simplifyMetrics(runId, metrics));
	},
};
