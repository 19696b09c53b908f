import type { INodeParameters } from 'n8n-workflow';

import { type NodeOptions, suiteWithSandbox } from '../../harness/suite';

export const SELECT = 'SELECT * FROM cities';
export const INSERT = 'INSERT INTO cities SELECT * FROM more';

export const point = { type: 'Point', coordinates: [7.1, 50.7] };
export const cities = [
	{ id: 9007199254740993n, name: 'Köln 🏙', height: 52.5, active: true, at: point, tags: ['a'] },
	{ id: 2n, name: null, height: 1, active: false, at: null, tags: [] },
];

/** Sets up a sandbox for each test, and a check of the protocol. */
export function suiteWithSql() {
	const suite = suiteWithSandbox();
	afterEach(() => expect(suite.sql.violations).toEqual([]));
	const run = async (query: string, more: INodeParameters = {}, options?: NodeOptions) => {
		const node = { resource: 'sql', operation: 'executeQuery', query, ...more };
		const result = await suite.run(node, options);
		// Every query says what it waited for.
		const isWork = (hint: string) => /^The (SQL session took|statement completed)/.test(hint);
		return {
			...result,
			hints: result.hints.filter((hint) => !isWork(hint)),
			work: result.hints.filter(isWork),
		};
	};
	return { suite, run };
}
