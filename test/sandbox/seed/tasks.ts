/** A RasterFlow task and a scheduled script, with runs in several states. */
import type { Model } from '../server/environment';
import { DAY_MS } from '../time';

export function seedTasks({ store, clock }: Model): void {
	const { tasks } = store;
	const at = (daysAgo: number) => clock.now() - daysAgo * DAY_MS;
	tasks.createTask('predict_mosaic_geometries_recipe', {
		displayName: 'Predict Mosaic Geometries',
		description: 'Finds objects in satellite images and writes them as polygons',
		inputSchema: {
			type: 'object',
			properties: {
				aoi: { type: 'string' },
				text_prompt: { anyOf: [{ type: 'array', items: { type: 'string' } }, { type: 'null' }] },
				confidence_threshold: { type: 'number' },
				model_recipe: { $ref: '#/$defs/Recipe' },
			},
			$defs: { Recipe: { enum: ['sam3-text-geometry', 'sam3-box-geometry'] } },
			required: ['aoi'],
		},
	});
	tasks.createTask('nightly_tiles', { displayName: 'Nightly Tiles', regions: ['aws-eu-west-1'] });
	const nightly = { taskName: 'nightly_tiles', type: 'scripttask', runSource: 'schedule' } as const;
	tasks.createRun({ ...nightly, state: 'MISSED', submittedAt: at(3) });
	tasks.createRun({ ...nightly, state: 'FAILED', submittedAt: at(2) });
	const roofs = tasks.createRun({
		taskRunId: 'npqy9q19q4wlm3',
		name: 'College Park roofs',
		inputs: { aoi: 's3://sandbox-bucket/aoi.parquet', text_prompt: ['roofs'] },
		state: 'SUCCEEDED',
		submittedAt: at(1),
	});
	tasks.appendLog(roofs, ['Reading the area of interest', 'Wrote 1,204 polygons']);
	tasks.createRun({ ...nightly, state: 'SUCCEEDED', submittedAt: at(1) });
}
