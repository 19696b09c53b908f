/** What triggers of one process have in common: what is remembered of what is usual. */
import { jobRuns } from '../../../../nodes/Wherobots/service/records/jobRun';
import {
	fetchUsual,
	forgetUsual,
	type Measure,
} from '../../../../nodes/Wherobots/trigger/runs/usual';
import { clientWith } from '../../../support/clientWith';
import { suiteInVirtualTime } from '../../../support/virtualTime';

const time = suiteInVirtualTime();

afterEach(forgetUsual);

const nothing: Measure = { name: 'nothing', of: () => [] };
const asked = { comparison: { factor: 2, compared: 20 }, isTest: false };

test('names are endless, what is remembered of them is not', async () => {
	let requests = 0;
	const answer = async () => {
		requests += 1;
		return await Promise.resolve({ body: { items: [] } });
	};
	const { client } = await clientWith({ answer });
	const ask = async (...works: string[]) => {
		requests = 0;
		await time.during(fetchUsual(client, jobRuns, nothing, { ...asked, works }));
		return requests;
	};
	const names = Array.from({ length: 3_000 }, (_, at) => `job-${at}x`);
	expect(await ask(...names)).toBe(3_000);
	expect(await ask(names[2_999])).toBe(0);
	expect(await ask(names[0])).toBe(1);
});

test('what is refused to two triggers holds back only the one that has no other limit', async () => {
	const replies = [{ statusCode: 403, body: { errors: [{ code: 'FORBIDDEN', message: 'No.' }] } }];
	const { client } = await clientWith({ replies });
	const ask = async (isAlone: boolean) =>
		await fetchUsual(client, jobRuns, nothing, { ...asked, works: ['etl'], isAlone });
	const outcomes = await time.during(Promise.allSettled([ask(true), ask(false)]));
	expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
});
