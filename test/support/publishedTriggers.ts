/** Triggers that poll a service of a few lines in virtual time: hundreds of them, for hours. */
import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { poll } from '../../nodes/Wherobots/trigger/poll';
import type { VirtualTime } from './virtualTime';

export const LATENCY = 100;
export const PAGE_SIZE = 100;

export interface PlannedRun {
	id: string;
	createdAt: number;
	endsAt: number;
	hasFailed?: boolean;
}

interface SentRequest {
	url: string;
	qs?: IDataObject;
	body?: unknown;
}

/** A service with these runs, newest first, and when it was asked. */
export class PlannedService {
	readonly asked: number[] = [];

	/** What costs it was asked for. */
	readonly askedCosts: unknown[] = [];

	/** When audit events are recorded, newest first, and when any table is changed. */
	readonly events: Array<{ id: string; at: number }> = [];

	readonly commits: number[] = [];

	/** What its triggers wrote into the log of n8n. */
	readonly warnings: string[] = [];

	/** How many of the next requests it refuses, and how long each takes. */
	refuses = 0;

	latency = LATENCY;

	constructor(
		private readonly time: VirtualTime,
		readonly runs: PlannedRun[],
	) {}

	countFrom(from: number, until = Infinity): number {
		return this.asked.filter((at) => at >= from && at < until).length;
	}

	request = async (_: string, { url, qs = {}, body: sent }: SentRequest) => {
		await this.time.pause(this.latency);
		const { pathname } = new URL(url);
		this.asked.push(this.time.now);
		if (this.refuses-- > 0) return { statusCode: 400, headers: {}, body: '{}' };
		const body = this.respond(pathname, qs, sent);
		return {
			statusCode: 200,
			headers: { date: new Date(this.time.now).toUTCString() },
			body: JSON.stringify(body),
		};
	};

	private respond(pathname: string, qs: IDataObject, sent: unknown) {
		const [, list, id, part] = pathname.split('/');
		if (list === 'usage') return this.tellCosts(sent);
		if (list === 'audit-log') return this.listEvents(qs);
		if (list === 'catalogs') return id ? this.showTable() : { catalogs: [] };
		if (part === 'logs') return { items: [], next_page: null };
		return id ? this.show(this.runs.find((run) => run.id === id)) : this.listRuns(qs);
	}

	private tellCosts(sent: unknown) {
		this.askedCosts.push(sent);
		const { kubeAppIds } = (typeof sent === 'string' ? JSON.parse(sent) : sent) as {
			kubeAppIds: string[];
		};
		const cost = { cost: '1', currency: 'USD', status: 'live' };
		return { costs: Object.fromEntries(kubeAppIds.map((id) => [id, cost])) };
	}

	private listEvents({ startTime, cursor = 0 }: IDataObject) {
		const from = Date.parse(String(startTime));
		const listed = this.events.filter(({ at }) => at >= from && at <= this.time.now);
		return toPage(listed, Number(cursor), ({ id, at }) => ({
			...{ event_id: id, event_time: new Date(at).toISOString(), action_name: 'CREATE_JOB_RUN' },
		}));
	}

	private showTable() {
		const made = this.commits.filter((at) => at <= this.time.now);
		const snapshots = made.map((at, index) => ({
			...{ 'snapshot-id': index + 1, 'timestamp-ms': at, summary: { operation: 'append' } },
			...(index > 0 && { 'parent-snapshot-id': index }),
		}));
		const main = { 'snapshot-id': snapshots.length, type: 'branch' };
		return { 'current-snapshot-id': snapshots.length, snapshots, refs: { main } };
	}

	private listRuns({ status, created_after, cursor = 0, name = '' }: IDataObject) {
		const from = Date.parse(String(created_after));
		const named = this.runs.filter(({ id }) => id.startsWith(String(name).replace('*', '')));
		const listed = named.filter(({ createdAt, endsAt }) =>
			createdAt > this.time.now ? false : status ? endsAt > this.time.now : createdAt > from,
		);
		return toPage(listed, Number(cursor), (run) => this.show(run));
	}

	private show(run: PlannedRun | undefined) {
		if (!run) return {};
		const createTime = new Date(run.createdAt).toISOString();
		const status = run.endsAt > this.time.now ? 'RUNNING' : run.hasFailed ? 'FAILED' : 'COMPLETED';
		const payload = { name: run.id, tags: ['nightly'] };
		const kubeApp = { id: `app-${run.id}` };
		const completeTime = status === 'RUNNING' ? null : new Date(run.endsAt).toISOString();
		const times = { createTime, startTime: createTime, completeTime };
		return { id: run.id, name: run.id, status, ...times, payload, kubeApp };
	}
}

function toPage<T>(listed: T[], begin: number, show: (each: T) => object) {
	const end = begin + PAGE_SIZE;
	const items = listed.slice(begin, end).map(show);
	return { items, total: listed.length, next_page: end < listed.length ? String(end) : null };
}

/** A published trigger for the runs with such a name, whose state is in `data`. @returns what polls it */
export function publishTrigger(
	service: Pick<PlannedService, 'request'> & { warnings?: string[] },
	index: number,
	name = '',
	getKey = () => 'wbk_key',
	event: IDataObject = { event: 'runStatusChanged', statuses: ['finished'] },
	data: IDataObject = {},
): () => Promise<INodeExecutionData[]> {
	const parameters: IDataObject = {
		...event,
		simplify: false,
		'filters.name': name,
	};
	const baseUrl = 'https://api.example.com';
	const context = {
		getMode: () => 'trigger',
		getWorkflow: () => ({ id: `w${index}` }),
		getNode: () => ({ id: 'trigger', name: 'Trigger', type: 'wherobotsTrigger' }),
		getWorkflowStaticData: () => data,
		getNodeParameter: (name: string, unset: unknown) => parameters[name] ?? unset,
		getCredentials: async () => await Promise.resolve({ apiKey: getKey(), baseUrl }),
		getPollBudgetMs: () => 300_000,
		logger: { info: () => undefined, warn: (text: string) => service.warnings?.push(text) },
		helpers: { httpRequestWithAuthentication: service.request },
	} as unknown as IPollFunctions;
	return async () => (await poll.call(context))?.[0] ?? [];
}

/** As n8n starts published workflows: five at a time, each until its first poll is over. */
export function createStarter(): (firstPoll: () => Promise<void>) => Promise<void> {
	const places = Array.from({ length: 5 }, async () => await Promise.resolve());
	let started = 0;
	return async (firstPoll) => {
		const place = started++ % places.length;
		places[place] = places[place].then(firstPoll);
		await places[place];
	};
}
