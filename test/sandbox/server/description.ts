/** The routes as the service describes its own in `/openapi.json`. */
import { z } from 'zod/v4';

import { addressOf, type Route } from './route';

/** What does not return JSON. */
const FILES = /^(export|download)/;

const toSchema = (type: z.ZodType) =>
	z.toJSONSchema(type, { io: 'input', unrepresentable: 'any', reused: 'inline' });

/** `List job runs` of `listJobRuns`. */
const toWords = (name: string) =>
	name[0].toUpperCase() + name.slice(1).replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

export function describePaths(routes: readonly Route[]): Record<string, object> {
	const paths: Record<string, Record<string, object>> = {};
	for (const route of routes) {
		const { method, paths: own } = addressOf(route);
		const { properties = {}, required = [] } = toSchema(route.query);
		const query = Object.entries(properties).map(([name, schema]) => ({
			...{ name, in: 'query', schema, required: required.includes(name) },
		}));
		const type = FILES.test(route.endpoint) ? 'text/csv' : 'application/json';
		for (const path of own) {
			const values = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
				...{ name, in: 'path', required: true, schema: { type: 'string' } },
			}));
			(paths[path] ??= {})[method.toLowerCase()] = {
				...{ operationId: route.endpoint, summary: toWords(route.endpoint) },
				parameters: [...values, ...query],
				...(route.body && {
					requestBody: {
						required: true,
						content: { 'application/json': { schema: toSchema(route.body) } },
					},
				}),
				responses: { [route.success]: { description: 'Success', content: { [type]: {} } } },
			};
		}
	}
	return paths;
}
