import type { AxiosInstance } from 'axios';

import { closeAll, NOW, open } from './open';

afterEach(closeAll);

async function walk(client: AxiosInstance, query: string, size: number): Promise<string[]> {
	const names: string[] = [];
	let cursor: string | undefined;
	do {
		const { data } = await client.get(`/runs?${query}`, { params: { size, cursor } });
		names.push(...data.items.map(({ name }: { name: string }) => name));
		cursor = data.next_page ?? undefined;
	} while (cursor);
	return names;
}

const LETTERS = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];

async function openWithSeven() {
	const opened = await open();
	LETTERS.forEach((letter, index) => {
		opened.sandbox.store.createRun({
			name: `job-${letter}-nightly`,
			createTime: NOW - 60_000 + index,
			region: index % 2 ? 'aws-us-east-1' : 'aws-us-west-2',
			status: ['PENDING', 'RUNNING', 'COMPLETED', 'TIMED_OUT'][index % 4],
		});
	});
	return opened;
}

const names = (letters: string) => [...letters].map((letter) => `job-${letter}-nightly`);

describe('listing runs', () => {
	it.each([
		['newestFirst', names('gfedcba')],
		['oldestFirst', names('abcdefg')],
	] as const)('walks every page %s', async (runOrder, expected) => {
		const { admin, sandbox } = await openWithSeven();
		sandbox.variants.runOrder = runOrder;
		for (const size of [1, 2, 3, 7, 100]) expect(await walk(admin, '', size)).toEqual(expected);
	});

	it('in no particular order still gives each run once', async () => {
		const { admin, sandbox } = await openWithSeven();
		sandbox.variants.runOrder = 'shuffled';
		const walked = await walk(admin, '', 2);
		expect(walked).not.toEqual(names('gfedcba'));
		expect([...walked].sort()).toEqual(names('abcdefg'));
	});

	it.each([
		['name=job-c-nightly', 'c'],
		['name=job-*', 'gfedcba'],
		['name=*-nightl', ''],
		['name=job-d*y', 'd'],
		['region=aws-us-east-1', 'fdb'],
		['status=TIMED_OUT', 'd'],
		['status=PENDING&status=RUNNING', 'feba'],
		['status=PENDING&region=aws-us-east-1', ''],
		['created_after=2026-11-20T11:59:00.004Z', 'gf'],
		['created_after=2026-11-20T12:59:00.004%2B01:00', 'gf'],
	])('filters by %s', async (query, letters) => {
		const { admin } = await openWithSeven();
		expect(await walk(admin, query, 2)).toEqual(names(letters));
		const { data } = await admin.get(`/runs?size=0&${query}`);
		expect(data).toMatchObject({ items: [], total: letters.length, next_page: null });
	});

	it('compares whole seconds where the service keeps only those', async () => {
		const { admin, sandbox } = await openWithSeven();
		const before = 'created_after=2026-11-20T11:58:59Z';
		const same = 'created_after=2026-11-20T11:59:00Z';
		expect(await walk(admin, same, 7)).toEqual(names('gfedcb'));
		sandbox.variants.createdAfterPrecision = 'seconds';
		expect(await walk(admin, same, 7)).toEqual([]);
		expect(await walk(admin, before, 7)).toEqual(names('gfedcba'));
	});

	it('keeps its place when runs arrive in between, except with offsets', async () => {
		const { admin, sandbox } = await openWithSeven();
		const ids = async (cursor?: string) => {
			const { data } = await admin.get('/runs', { params: { size: 3, cursor } });
			return { next: data.next_page, names: data.items.map((run: { name: string }) => run.name) };
		};
		const keyset = await ids();
		sandbox.variants.pageCursors = 'offset';
		const offset = await ids();
		sandbox.store.createRun({ name: 'newcomer' });
		expect((await ids(keyset.next)).names).toEqual(names('dcb'));
		expect((await ids(offset.next)).names).toEqual(names('edc'));
	});

	it('refuses cursors that it did not issue', async () => {
		const { admin } = await openWithSeven();
		for (const cursor of ['nonsense', '12', 'Pm5vdC1hLXJ1bg']) {
			expect((await admin.get('/runs', { params: { cursor } })).status).toBe(400);
		}
	});
});
