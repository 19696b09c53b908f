import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { suiteWithSandbox } from '../harness/suite';
import { SELECT } from './sql/query';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const suite = suiteWithSandbox();

it.each([
	{ resource: 'jobRun', operation: 'getAll' },
	{ resource: 'sql', operation: 'executeQuery', query: SELECT },
])('items are forgotten when their execution is over: %p', async (parameters) => {
	suite.sql.answer(SELECT, { rows: [{ id: 1 }] });
	const run = async () => {
		const { items } = await suite.run(parameters);
		return new WeakRef(items[0]);
	};
	const item = await run();
	// The target of a weak reference is kept alive until the current job ends, and what is still under way
	// (a connection that closes) may hold it a little longer.
	for (let attempt = 0; item.deref() && attempt < 100; attempt++) {
		await setTimeout(50);
		collectGarbage();
	}
	expect(item.deref()).toBeUndefined();
});
