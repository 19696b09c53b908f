/** Many triggers share the rate of one key, a twentieth of the service's published one. */
import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { forgetAll, poll } from '../../../nodes/Wherobots/trigger/poll';
import { forgetThrottles, RATE_LIMIT } from '../../../nodes/Wherobots/transport/throttle';
import { suiteInVirtualTime } from '../../support/virtualTime';

const time = suiteInVirtualTime();

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const LATENCY = 100;
const PAGE_SIZE = 100;

/** Minutes before the pause, and after those that it may take until all is as before. */
const BEFORE = 6;
const AFTER = 3;

const TRIGGERS = 22;

interface PlannedRun {
	id: string;
	createdAt: number;
	endsAt: number;
}

/** A service with these runs, newest first, and when it was asked. */
class Service {
	private readonly asked: number[] = [];

	constructor(private readonly runs: PlannedRun[]) {}

	countFrom(time: number): number {
		return this.asked.filter((at) => at >= time).length;
	}

	request = async (_: string, { url, qs = {} }: { url: string; qs?: IDataObject }) => {
		await time.pause(LATENCY);
		const id = new URL(url).pathname.split('/')[2];
		this.asked.push(time.now);
		const body = id ? this.show(this.runs.find((run) => run.id === id)) : this.page(qs);
		return {
			statusCode: 200,
			headers: { date: new Date(time.now).toUTCString() },
			body: JSON.stringify(body),
		};
	};

	private page({ status, created_after, cursor = 0 }: IDataObject) {
		const from = Date.parse(String(created_after));
		const listed = this.runs.filter(({ createdAt, endsAt }) =>
			createdAt > time.now ? false : status ? endsAt > time.now : createdAt > from,
		);
		const end = Number(cursor) + PAGE_SIZE;
		const items = listed.slice(Number(cursor), end).map((run) => this.show(run));
		return { items, total: listed.length, next_page: end < listed.length ? String(end) : null };
	}

	private show(run: PlannedRun | undefined) {
		if (!run) return {};
		const createTime = new Date(run.createdAt).toISOString();
		const status = run.endsAt > time.now ? 'RUNNING' : 'COMPLETED';
		return { id: run.id, name: run.id, status, createTime, startTime: createTime };
	}
}

/** A published trigger for the ends of all runs. @returns what polls it */
function publish(service: Service, index: number): () => Promise<INodeExecutionData[]> {
	const data: IDataObject = {};
	const parameters: IDataObject = { event: 'runStatusChanged', statuses: ['finished'] };
	const credential = { apiKey: 'wbk_key', baseUrl: 'https://api.example.com' };
	const context = {
		getMode: () => 'trigger',
		getWorkflow: () => ({ id: `w${index}` }),
		getNode: () => ({ id: 'trigger', name: 'Trigger', type: 'wherobotsTrigger' }),
		getWorkflowStaticData: () => data,
		getNodeParameter: (name: string, unset: unknown) => parameters[name] ?? unset,
		getCredentials: async () => await Promise.resolve(credential),
		getPollBudgetMs: () => 300_000,
		logger: { info: () => undefined, warn: () => undefined },
		helpers: { httpRequestWithAuthentication: service.request },
	} as unknown as IPollFunctions;
	return async () => (await poll.call(context))?.[0] ?? [];
}

beforeEach(() => {
	jest.replaceProperty(RATE_LIMIT, 'requests', 5);
	forgetThrottles();
	forgetAll();
});

test.each([10, 60])(
	'five minutes after a pause of %i minutes, they send one or two requests a poll, and events come within an interval',
	async (minutes) => {
		time.now = Date.parse('2026-11-21T12:00:00Z');
		const end = time.now + (BEFORE + minutes) * MINUTE;
		const recovered = end + 5 * MINUTE;
		const until = recovered + AFTER * MINUTE;
		const runs: PlannedRun[] = [];
		for (let at = time.now - 90 * MINUTE; at < until; at += 6 * SECOND) {
			// Some outlast the five minutes for which lists are sure to show them.
			const lasts = runs.length % 40 === 0 ? 7 * MINUTE : (runs.length % 20) * 10 * SECOND;
			runs.unshift({ id: `run-${runs.length}`, createdAt: at, endsAt: at + lasts });
		}
		const service = new Service(runs);
		const come: Array<Map<string, number>> = [];
		const live = async (index: number) => {
			const pollOnce = publish(service, index);
			const noticed = new Map<string, number>();
			come.push(noticed);
			const pollAt = async (at: number) => {
				await time.pause(at - time.now);
				for (const { json } of await pollOnce().catch(() => [])) {
					expect(noticed.has(String(json.id))).toBe(false);
					noticed.set(String(json.id), time.now);
				}
			};
			const second = (index * MINUTE) / TRIGGERS;
			const begin = time.now;
			for (let minute = 0; minute < BEFORE; minute++)
				await pollAt(begin + minute * MINUTE + second);
			// When n8n starts, it publishes all workflows at once.
			await pollAt(end);
			for (let at = end + second; at < until; at += MINUTE) if (at >= time.now) await pollAt(at);
		};
		const all = Array.from({ length: TRIGGERS }, async (_, index) => await live(index));
		await time.during(Promise.all(all));
		const late = runs
			.filter(({ endsAt }) => endsAt >= recovered && endsAt < until - 2 * MINUTE)
			.flatMap(({ id, endsAt }) => come.map((noticed) => (noticed.get(id) ?? Infinity) - endsAt));
		expect(Math.max(...late)).toBeLessThan(MINUTE + 5 * SECOND);
		expect(service.countFrom(recovered)).toBeLessThan(2 * AFTER * TRIGGERS);
	},
	120_000,
);
