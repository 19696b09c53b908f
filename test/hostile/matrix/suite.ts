/** Every operation and every event × every fault. Writes `docs/reliability.md`: see `page.ts`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import path from 'node:path';
import type { AddressInfo } from 'node:net';

import { Logger } from '@n8n/backend-common';
import { Container } from '@n8n/di';

import { REQUEST_LIMITS } from '../../../nodes/Wherobots/transport/client';
import { TRANSFER_LIMITS } from '../../../nodes/Wherobots/transport/download/bodyReader';
import { forgetLimiters } from '../../../nodes/Wherobots/transport/pace/limiters';
import { inParallel } from '../../../nodes/Wherobots/transport/inParallel';
import { endpoints } from '../../interface/endpoints';
import type { EndpointId, Exchange } from '../../sandbox';
import { inHome, observe, watchExchanges, type Home, type Observed } from './cell';
import { matrixFaults, type MatrixFault } from './faults';
import { isCreating, judge, KEYS, type Judged } from './judge';
import { liveInOwnTimes } from './ownTime';
import { pageOf, type Kind, type PageCell } from './page';
import { subjects, withoutCase, type Subject } from './subjects';

interface Cell extends Judged {
	subject: Subject;
	endpoint: EndpointId;
	fault: MatrixFault;
}

/** Slow cells that run side by side: they only wait. */
const SLOW_AT_ONCE = 48;

const cells: Cell[] = [];
const baselines = new Map<Subject, Observed>();
const arrivedElsewhere: string[] = [];
let elsewhere: Server;
let log = '';
let restoreTime: () => void;
let stopWatching: () => void;

beforeAll(async () => {
	restoreTime = liveInOwnTimes();
	stopWatching = watchExchanges();
	elsewhere = createServer((request, response) => {
		arrivedElsewhere.push(JSON.stringify(request.headers));
		response.end('{}');
	});
	await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
});

beforeEach(() => {
	const logger = Container.get(Logger);
	for (const level of ['error', 'warn', 'info', 'debug'] as const) {
		jest.spyOn(logger, level).mockImplementation((...entry: unknown[]) => {
			log += `${JSON.stringify(entry)}\n`;
		});
	}
});

afterAll(() => {
	restoreTime();
	stopWatching();
	elsewhere.close();
});

const place = () => {
	const { port } = elsewhere.address() as AddressInfo;
	return { elsewhere: `http://localhost:${port}/elsewhere` };
};

/** Shorter bodies cannot be cut, or stall, where the faults do it. */
const SHORTEST_BODY = 40;

/** What a fault needs of the response that it changes. */
const NEEDS_BODY = new Set(['cut', 'truncate', 'stall', 'trickle', 'rewrite', 'edit', 'padded']);

function applies(fault: MatrixFault, exchange: Exchange): boolean {
	const { kind } = fault.fault({ elsewhere: '', secret: '' });
	const { json, text, stream } = exchange.response ?? {};
	const length = (text ?? (json === undefined ? '' : JSON.stringify(json))).length;
	const hasBody = length >= SHORTEST_BODY || stream !== undefined;
	const isJson = json !== undefined;
	const isPage = isJson && typeof json === 'object' && json !== null && 'items' in json;
	if (fault.pagesOnly) return isPage;
	if (fault.jsonOnly) return isJson;
	return hasBody || !(NEEDS_BODY.has(kind) || fault.needsBody);
}

/** What happens without a fault, once for each subject. */
async function baselineOf(subject: Subject): Promise<Observed> {
	const known = baselines.get(subject);
	if (known) return known;
	const observed = await inHome(subject, async (home) => await observe(subject, home, place()));
	expect(observed).toMatchObject({ hung: false, used: { errors: [] } });
	expect(observed.crash).toBeUndefined();
	expect(observed.used.items).not.toEqual([]);
	if (subject.kind === 'operation') subject.main ??= observed.exchanges[0]?.request.endpoint;
	baselines.set(subject, observed);
	return observed;
}

/** The last exchange of each endpoint that the subject asks. */
function endpointsOf({ exchanges }: Observed): Array<[EndpointId, Exchange]> {
	const found = new Map<EndpointId, Exchange>();
	for (const exchange of exchanges) {
		if (exchange.request.endpoint) found.set(exchange.request.endpoint, exchange);
	}
	return [...found];
}

async function fill(
	subject: Subject,
	endpoint: EndpointId,
	fault: MatrixFault,
	home: Home,
): Promise<string[]> {
	const baseline = await baselineOf(subject);
	const attempts = baseline.exchanges.filter(({ request }) => request.endpoint === endpoint).length;
	const logged = log.length;
	const observed = await observe(subject, home, place(), { fault, endpoint });
	const judged = judge({
		subject,
		endpoint,
		fault,
		baseline: { ...baseline, attempts },
		observed,
		log: log.slice(logged),
	});
	cells.push({ subject, endpoint, fault, ...judged });
	return judged.problems.map((what) => `${fault.name} (${endpoint}): ${what}`);
}

async function cellsOf(subject: Subject, isSlow: boolean) {
	const asked = endpointsOf(await baselineOf(subject));
	return asked.flatMap(([endpoint, exchange]) =>
		matrixFaults
			.filter((fault) => (fault.slow ?? false) === isSlow && applies(fault, exchange))
			.filter((fault) => !fault.mainOnly || (subject.isFirst && endpoint === subject.main))
			.map((fault) => ({ subject, endpoint, fault })),
	);
}

it('has a use for every operation of the node and every event of the trigger', () => {
	expect(withoutCase).toEqual([]);
});

describe('whatever goes wrong', () => {
	it.each(subjects.map((subject) => [subject.title, subject] as const))(
		'%s ends in its result or in an error that helps',
		async (_, subject) => {
			const problems: string[] = [];
			const quick = await cellsOf(subject, false);
			const fillAll = async (home: Home, own: typeof quick) => {
				for (const { endpoint, fault } of own) {
					forgetLimiters();
					problems.push(...(await fill(subject, endpoint, fault, home)));
				}
			};
			if (subject.kind === 'operation') {
				await inHome(subject, async (home) => await fillAll(home, quick));
			} else {
				// What one cell leaves behind would be news in the next.
				for (const cell of quick) {
					await inHome(subject, async (home) => await fillAll(home, [cell]));
				}
			}
			expect(problems).toEqual([]);
		},
		300_000,
	);

	it('nothing waits for ever', async () => {
		const limits = structuredClone(REQUEST_LIMITS);
		const { stallMs } = TRANSFER_LIMITS;
		Object.assign(REQUEST_LIMITS, { silenceMs: { repeatable: 700, once: 1_500 }, wholeMs: 1_500 });
		TRANSFER_LIMITS.stallMs = 700;
		const slow: Array<Pick<Cell, 'subject' | 'endpoint' | 'fault'>> = [];
		for (const subject of subjects) slow.push(...(await cellsOf(subject, true)));
		const problems: string[] = [];
		await inParallel(slow.length, SLOW_AT_ONCE, async (at) => {
			const { subject, endpoint, fault } = slow[at];
			const found = await inHome(
				subject,
				async (home) => await fill(subject, endpoint, fault, home),
			);
			problems.push(...found.map((what) => `${subject.title}: ${what}`));
		});
		Object.assign(REQUEST_LIMITS, limits);
		TRANSFER_LIMITS.stallMs = stallMs;
		expect(problems.sort()).toEqual([]);
	}, 600_000);

	it('no key reaches another host', () => {
		expect(arrivedElsewhere.filter((text) => KEYS.some((key) => text.includes(key)))).toEqual([]);
	});
});

const PAGE = path.join(__dirname, '..', '..', '..', 'docs', 'reliability.md');

/** Set to write the page instead of comparing it: `npm run reliability`. */
const WRITE = 'N8N_NODES_WHEROBOTS_WRITE_RELIABILITY';

function kindOf({ subject, endpoint }: PageCell): Kind {
	if (subject.kind === 'trigger') return 'trigger';
	if (endpoint !== subject.main) return 'further';
	if (subject.waits) return 'waits';
	if (isCreating(endpoint)) return 'creates';
	if (endpoints[endpoint].method !== 'GET') return 'changes';
	const items = baselines.get(subject)?.used.items ?? [];
	return items.some(({ binary }) => binary) ? 'files' : 'reads';
}

it('the page about it says what was found (npm run reliability writes it)', () => {
	const order = new Map(subjects.map((subject, at) => [subject, at]));
	const sorted = [...cells].sort(
		(a, b) =>
			(order.get(a.subject) ?? 0) - (order.get(b.subject) ?? 0) ||
			a.endpoint.localeCompare(b.endpoint),
	);
	const page = pageOf(matrixFaults, sorted, kindOf);
	if (process.env[WRITE]) writeFileSync(PAGE, page);
	expect(readFileSync(PAGE, 'utf8')).toBe(page);
});
