import type { Run } from '../../../../../nodes/Wherobots/service/types';
import { DAY, HOUR } from '../../../../../nodes/Wherobots/trigger/core/watermark';
import { iso, START as NOW } from '../slowService';
import { ACTIVE, AskedService, CREATED, followed, run } from './askedService';

let service: AskedService;

beforeEach(() => {
	service = new AskedService();
});

describe('what is requested', () => {
	test('a single run is read without the list of active runs', async () => {
		service.single = { one: run('one', 'COMPLETED') };
		const { taken, notes } = await service.follow(followed('one'));
		expect(service.asked).toEqual(['one']);
		expect(taken).toEqual(['one COMPLETED']);
		expect(notes).toEqual([]);
	});

	test('two runs are looked for in the list of active runs, and read one by one if they are not there', async () => {
		service.active = [[run('listed')]];
		service.single = { ended: run('ended', 'FAILED') };
		const { taken, notes } = await service.follow(followed('ended'), followed('listed'));
		expect(service.asked).toEqual([ACTIVE, 'ended']);
		expect(taken).toEqual(['listed RUNNING', 'ended FAILED']);
		expect(notes).toEqual([]);
	});

	test('a list of many active runs is read to its end', async () => {
		const ids = Array.from({ length: 25 }, (_, index) => `run-${index}`);
		service.active = ids.map((id) => [run(id)]);
		const { notes } = await service.follow(...ids.map((id) => followed(id)));
		expect(service.asked).toHaveLength(25);
		expect(notes).toEqual([]);
	});

	test('after a third of the time, the list of active runs is abandoned and single runs are read', async () => {
		service.pageTakes = 0.2;
		service.active = [[run('a')], [run('b')], [run('c')]];
		service.single = { c: run('c') };
		const { notes } = await service.follow(followed('a'), followed('b'), followed('c'));
		expect(service.asked).toEqual([ACTIVE, `${ACTIVE}, page 2`, 'c']);
		expect(notes).toEqual(['Not all active runs could be listed.']);
	});

	test('the list of active runs is not read when a third of the time is already used up', async () => {
		service.used = 0.34;
		service.single = { a: run('a'), b: run('b') };
		expect(await service.follow(followed('a'), followed('b'))).toMatchObject({ notes: [] });
		expect(service.asked).toEqual(['a', 'b']);
	});

	test('no single run is read when time is up', async () => {
		service.used = 1;
		expect(await service.follow(followed('a'))).toEqual({ active: ['a'], taken: [], notes: [] });
		expect(service.asked).toEqual([]);
	});
});

describe('failures', () => {
	const failure = new Error('The service failed');

	test('a failure is only a note when another run was read, even one without changes', async () => {
		service.single = { fine: run('fine'), bad: failure };
		const { notes } = await service.follow(followed('bad'), followed('fine'));
		expect(notes).toEqual(['1 tracked runs could not be read; the next poll tries again.']);
	});

	test('failures are only a note when the list of active runs showed a change', async () => {
		service.active = [[run('new')]];
		service.single = { a: failure, b: failure };
		const { notes } = await service.follow(followed('a'), followed('b'));
		expect(notes).toEqual(['2 tracked runs could not be read; the next poll tries again.']);
	});

	test('when there is nothing but failures, the first one is the error', async () => {
		service.single = { a: failure, b: new Error('Another failure') };
		await expect(service.follow(followed('a'), followed('b'))).rejects.toBe(failure);
	});

	test('a request that fails as time runs out is neither an error nor a note', async () => {
		service.runTakes = 1;
		service.single = { late: failure };
		expect(await service.follow(followed('late'))).toMatchObject({ active: ['late'], notes: [] });
	});
});

describe('runs that are read one by one', () => {
	test.each([
		['another run', { ...run('other', 'HIBERNATING') }],
		['a record without a status', { ...run('one'), status: '' }],
	])('%s instead of the requested run says nothing about it', async (_, answer) => {
		service.single = { one: answer };
		expect(await service.follow(followed('one'))).toEqual({
			active: ['one'],
			taken: [],
			notes: [],
		});
	});

	test.each([
		['without a timeout', undefined, DAY],
		['with a timeout of an hour', 3600, HOUR + DAY],
		['with a timeout that is not a number', 'soon', DAY],
	])(
		'a run in an unknown status %s is no longer tracked when its time is up',
		async (_, timeout, time) => {
			const payload = { timeoutSeconds: timeout as number };
			service.single = { odd: { ...run('odd', 'HIBERNATING'), startTime: iso(NOW), payload } };
			service.now = NOW + time;
			expect(await service.follow(followed('odd'))).toMatchObject({ active: ['odd'], notes: [] });
			service.now += 1;
			const { active, notes } = await service.follow(followed('odd'));
			expect(active).toEqual([]);
			expect(notes).toEqual([
				'Run odd has been HIBERNATING for too long; it is no longer tracked.',
			]);
		},
	);

	test.each([
		['whose start is not a time', { startTime: 'soon' }, DAY],
		['without any time, known for two days', { createTime: undefined }, 0],
	])(
		'a run in an unknown status %s is no longer tracked after a while either',
		async (_, times, time) => {
			service.single = { odd: { ...run('odd', 'HIBERNATING'), ...times } as Run };
			service.now = CREATED + time;
			expect((await service.follow(followed('odd'))).active).toEqual(['odd']);
			service.now = CREATED + DAY + 1;
			expect((await service.follow(followed('odd'))).active).toEqual([]);
		},
	);
});
