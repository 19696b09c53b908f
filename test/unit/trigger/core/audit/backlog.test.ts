import { MINUTE, SlowLog, spread, START } from './slowLog';

const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

test.each([
	[12, 10],
	[20, 2],
	[30, 1],
])(
	'at %d seconds a request, the trigger catches up on %d days during which n8n was not running',
	async (secondsPerRequest, days) => {
		// One event a minute: a page holds less than two hours.
		const end = START + days * DAY;
		const times = [...spread(60, HOUR), ...spread(days * 24 * 60, days * DAY, end)];
		const log = new SlowLog({ times, secondsPerRequest });
		await log.begin(20);
		log.now = end;
		// A poll reads several pages; 10 days have 144.
		for (let poll = 0; poll < 300; poll++) await log.poll();
		const expected = log.ids((time) => time > START + MINUTE && time < end - MINUTE);
		expect(log.failures).toBe(0);
		expect(new Set(log.given).size).toBe(log.given.length);
		expect(expected.filter((id) => !log.given.includes(id))).toHaveLength(0);
	},
);

test.each([14, 20, 30])(
	'at %d seconds a request, the trigger gets past ten hours without an event',
	async (secondsPerRequest) => {
		const burst = spread(150, 20 * MINUTE, START + 10.5 * HOUR);
		const log = new SlowLog({ times: [START - MINUTE, ...burst], secondsPerRequest });
		await log.begin(20);
		log.now = START + 11 * HOUR;
		for (let poll = 0; poll < 200; poll++) await log.poll();
		expect(log.failures).toBe(0);
		expect([...log.given].sort()).toEqual(log.ids((time) => time > START + MINUTE).sort());
	},
);
