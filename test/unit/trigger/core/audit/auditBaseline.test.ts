import { MINUTE, SECOND, SlowLog, spread, START, type Order } from './slowLog';

const ORDERS: Order[] = ['newestFirst', 'oldestFirst', 'shuffled'];

/** What happened after the first request comes once; nothing that was there before does. */
async function expectNews(log: SlowLog, polls: number): Promise<void> {
	log.secondsPerRequest = 0.2;
	for (let poll = 0; poll < polls; poll++) await log.poll();
	expect(new Set(log.given).size).toBe(log.given.length);
	const news = log.ids((time) => time >= START + SECOND && time < log.now - 3 * MINUTE);
	const given = new Set(log.given);
	expect(news.filter((id) => !given.has(id))).toEqual([]);
	expect(news.length).toBeGreaterThan(5);
	const old = new Set(log.ids((time) => time < START));
	expect(log.given.filter((id) => old.has(id))).toEqual([]);
}

/** An hour of events before the first poll and some hours after it. */
const hours = (perMinute: number) => [
	...spread(60 * perMinute, 60 * MINUTE),
	...spread(300 * perMinute, 300 * MINUTE, START + 300 * MINUTE),
];

describe.each(ORDERS)('a first poll of a list that is %s', (order) => {
	test.each([0.2, 3, 8, 14, 20, 30, 35])(
		'never fails at %d seconds a request, and keeps what it has read',
		async (secondsPerRequest) => {
			const log = new SlowLog({ order, secondsPerRequest, times: hours(2), pageSize: 20 });
			expect(await log.begin(20)).toBeLessThan(20);
			expect(log.failures).toBe(0);
			await expectNews(log, 30);
		},
	);

	test.each([0, 12])(
		'ends although each poll finds its cursor refused, after %d more seconds',
		async (refusesAfter) => {
			const log = new SlowLog({ order, secondsPerRequest: 5, refusesAfter, times: hours(40) });
			expect(await log.begin(45)).toBeLessThan(45);
			await expectNews(log, 40);
		},
	);

	test('ends with 20,000 events in range at 6 seconds a page, and its state stays small', async () => {
		const before = [
			...spread(200, 60 * MINUTE, START - 2 * MINUTE),
			...spread(20_000, 100 * SECOND),
		];
		const times = [...before, ...spread(600, 300 * MINUTE, START + 300 * MINUTE)];
		const log = new SlowLog({ order, secondsPerRequest: 6, times });
		await log.begin(150);
		expect(log.failures).toBe(0);
		expect(log.bytes).toBeLessThan(500_000);
		await expectNews(log, 60);
		expect(log.bytes).toBeLessThan(2_000);
	});

	test('takes what it needs from an export that is cut', async () => {
		const times = [...spread(20_000, 100 * SECOND), ...hours(1).slice(60)];
		const log = new SlowLog({ order, secondsPerRequest: 12, times, way: 'export' });
		expect(await log.begin(10)).toBeLessThan(10);
		await expectNews(log, 30);
	});
});

test("a first poll does not go past the present second by n8n's clock, which may be ahead", async () => {
	// More events in one second than are requested of an export, then one more in that second.
	const times = [...Array<number>(6_000).fill(START), START + 0.9 * SECOND];
	const log = new SlowLog({ times, way: 'export', secondsPerRequest: 0.1, clockAhead: 2 });
	await log.begin(1);
	await log.poll();
	await log.poll();
	expect(log.given).toEqual([log.id(6_000)]);
});

test('what happens while the first response is on its way comes, even when no response tells the time', async () => {
	const log = new SlowLog({ times: hours(40), secondsPerRequest: 10, clockAhead: 0 });
	log.secondsOnTheWay = 9;
	for (let poll = 0; poll < 5; poll++) await log.poll();
	log.secondsPerRequest = 1;
	log.secondsOnTheWay = 0;
	await expectNews(log, 30);
});

const DAYS = 86_400;

test.each([
	['years ahead', 1_000 * DAYS],
	['days ahead', 3 * DAYS],
	['years behind', -1_000 * DAYS],
])(
	"a service whose clock is %s compared to n8n's and its own records hides nothing and fires nothing old",
	async (_, dateAhead) => {
		for (const order of ORDERS) {
			const log = new SlowLog({ order, dateAhead, times: hours(4), secondsPerRequest: 2 });
			await log.begin(5);
			for (let poll = 0; poll < 30; poll++) await log.poll();
			expect(log.given).toEqual(
				expect.arrayContaining(log.ids((time) => time > START + MINUTE && time < log.now - MINUTE)),
			);
			const old = new Set(log.ids((time) => time < START));
			expect(log.given.filter((id) => old.has(id))).toEqual([]);
		}
	},
);
