import { existsSync } from 'node:fs';
import path from 'node:path';

import { REPOSITORY } from '../../../scripts/lib/paths';
import { OPERATIONS, type Account } from '../../../scripts/live/account';
import { use } from '../../../scripts/live/case';
import { explain, judge, type Result } from '../../../scripts/live/judge';
import { Known } from '../../../scripts/live/known';
import { reads } from '../../../scripts/live/reads';

const exchanges = [{ route: 'GET /a' }, { route: 'GET /a' }, { route: undefined }];

/** An account whose operations give these items. */
const giving = (...json: object[]) =>
	({
		execute: async () => await Promise.resolve({ json, hints: [], ms: 0, exchanges }),
	}) as unknown as Account;

const run = {
	...{ id: 'r1', name: 'tiles', status: 'COMPLETED', region: 'aws-us-west-2', durationSeconds: 9 },
	createTime: '2026-01-01T00:00:00Z',
};
const list = reads.find(({ name }) => name === 'jobRun getAll')!;

it.each([
	['nothing where all is as expected', run, undefined],
	['a record without its ID', { ...run, id: null }, /^Of the fields, id has no value/],
	['a record without its name', { ...run, name: undefined }, /name has no value/],
	['a status that nobody knows', { ...run, status: 'SUCCEEDED' }, /state of a run/],
	['completed runs without their end', { ...run, durationSeconds: null }, /no duration/],
	['runs without a region', { ...run, region: null }, 'runs have no region'],
])('a list of job runs tells %s', async (_, record, why) => {
	const result = await judge(list, giving(record), new Known());
	expect(result.why).toEqual(why && expect.stringMatching(why));
	expect(result.outcome).toBe(why ? 'differs' : 'works');
});

it('a field that is there in some records only has no value', async () => {
	const items = [{ id: 'a', preview: 'x' }, { id: 'b' }];
	const { why } = await judge(use('apiKey getAll'), giving(...items), new Known());
	expect(why).toMatch(/preview has no value/);
});

describe('what is wrong', () => {
	const result = (name: string, more: Partial<Result>): Result => ({
		...{ name, outcome: 'differs', items: 1, ms: 0, requests: 1, ...more },
	});
	const wrong = result('taskRun getAll', { why: 'no state' });

	it.each(OPERATIONS)('is told with the requests and the file to look at: %s', async (name) => {
		const each = use(name, {}, () => 'no state');
		const { why = '' } = await judge(each, giving({}), new Known());
		const [, file = ''] = /no state\. Look at GET \/a, (\S+)$/.exec(why) ?? [];
		expect(existsSync(path.join(REPOSITORY, file))).toBe(true);
		expect(file).toMatch(/\.ts$/);
	});

	it.each([
		['taskRun get', 'notPossible', 'no task run; perhaps only because taskRun getAll differs'],
		['event taskRunStateChanged', 'works', /^nothing came; .* taskRun getAll differs$/],
		['jobRun get', 'notPossible', 'no task run'],
	] as const)('may be why others find nothing: %s', (name, outcome, says) => {
		const why = outcome === 'works' ? undefined : 'no task run';
		const other = result(name, { outcome, why, items: 0 });
		const { outcome: told, why: said } = explain(other, [wrong]);
		expect([told, said]).toEqual([
			'notPossible',
			typeof says === 'string' ? says : expect.stringMatching(says),
		]);
	});
});
