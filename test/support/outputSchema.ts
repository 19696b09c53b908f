/**
 * What the output of an operation looks like, for n8n: the editor reads it from a file, so that fields
 * can be mapped before the first run. For triggers the editor of n8n 2.41 looks for no such file.
 */
import path from 'node:path';

import { REPOSITORY } from '../../scripts/lib/paths';

/** n8n looks beside the compiled node, by the node's version. */
export const SCHEMAS = path.join(REPOSITORY, 'nodes/Wherobots/__schema__/v1.0.0');

/** Objects whose keys are the user's own: those of an example would be taken for all there are. */
const FREE = new Set(['sparkConfiguration', 'sparkConfigs', 'inputSchema', 'results']);

export interface Schema {
	type: 'array' | 'boolean' | 'integer' | 'null' | 'number' | 'object' | 'string';
	properties?: Record<string, Schema>;
	items?: Schema;
}

const text: Schema = { type: 'string' };
const integer: Schema = { type: 'integer' };
const number: Schema = { type: 'number' };
const object: Schema = { type: 'object' };

/**
 * What the interface of the service says of fields, and of the entries of lists, that have no value
 * in the examples here: n8n would offer them as fields that are always null.
 */
const WITHOUT_VALUE: Record<string, Schema> = {
	...{ completeTime: text, startTime: text, settledAt: text, durationSeconds: integer },
	...{ message: text, reason: text, runtime: text, stackName: text, bindings: text },
	...{ gpuUtilizationPercent: number, gpuMemoryUtilizationPercent: number },
	...{ executorDiskSize: integer, sparkConfiguration: object },
	...{ endTime: text, name: text, endedAt: text, errorMessage: text, results: object },
	...{ databases: object, 'identifier-field-ids': integer },
};

/** The schema that all of these values have in common; what is null in some has the type of the others. */
export function schemaOf(values: unknown[], key = ''): Schema {
	const known = values.filter((value) => value !== null && value !== undefined);
	if (known.length === 0) return WITHOUT_VALUE[key] ?? { type: 'null' };
	if (known.every(Array.isArray)) return { type: 'array', items: schemaOf(known.flat(), key) };
	if (known.every((value) => typeof value === 'object')) {
		if (FREE.has(key)) return { type: 'object' };
		const names = [...new Set(known.flatMap((value) => Object.keys(value as object)))];
		const properties = names.sort().map((name): [string, Schema] => {
			const inner = known.map((value) => (value as Record<string, unknown>)[name]);
			return [name, schemaOf(inner, name)];
		});
		return { type: 'object', properties: Object.fromEntries(properties) };
	}
	if (known.every(Number.isInteger)) return { type: 'integer' };
	const types = new Set(known.map((value) => typeof value));
	// Where the service sends several kinds, text is what a mapped field makes of each.
	return { type: types.size === 1 ? ([...types][0] as Schema['type']) : 'string' };
}
