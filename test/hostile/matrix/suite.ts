/**
 * Every operation and every event × every fault, in parts; some of these in `npm test`. The last
 * part of all of them writes `docs/reliability-cases.md`, or compares it: see `page.ts`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import path from 'node:path';
import type { AddressInfo } from 'node:net';

import { Logger } from '@n8n/backend-common';
import { Container } from '@n8n/di';

import { BODY_LIMITS } from '../../../nodes/Wherobots/transport/bytes';
import { REQUEST_LIMITS } from '../../../nodes/Wherobots/transport/http';
import { forgetThrottles } from '../../../nodes/Wherobots/transport/throttle';
import { forgetRunPath } from '../../../nodes/Wherobots/useCases/runs/taskRuns';
import { runInParallel } from '../../../nodes/Wherobots/transport/concurrency';
import { STATEMENT_LIMITS } from '../../../nodes/Wherobots/useCases/sql/statement';
import { REPOSITORY } from '../../../scripts/lib/paths';
import { endpoints, type EndpointId, type Exchange } from '../../sandbox';
import { KEYS } from '../../sandbox/server/auth';
import { DEEP, runs } from '../../support/runs';
import { inHome, observe, watchExchanges, type Home, type Observed } from './cell';
import { matrixFaults, type MatrixFault } from './faults';
import { isCreating, judge } from './judge';
import { liveInOwnTimes } from './ownTime';
import { countTurns } from './ownTimers';
import { pageOf, type Kind, type PageCell } from './page';
import { bringTogether, PARTS, type Part } from './results';
import { subjects, type Subject } from './subjects';

/** Where a fault meets a subject. */
interface Crossing {
	subject: Subject;
	endpoint: EndpointId;
	fault: MatrixFault;
}

/** More than any response of the faults that end has, in bytes. */
const MAX_BYTES = 6_000_000;

/** So that rows that are sent as a file are few. */
const MAX_ROW_BYTES = 20_000;

/** Of so many cells one is tried: each subject meets a few faults. */
const ONE_OF = runs(40, 1);

/** Subjects whose slow cells run side by side: they only wait. */
const SLOW_AT_ONCE = 12;

const PAGE = path.join(REPOSITORY, 'docs', 'reliability-cases.md');

/** Set to write the page instead of comparing it: `npm run reliability`. */
const WRITE = 'N8N_NODES_WHEROBOTS_WRITE_RELIABILITY';

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
	const isPage = isJson && typeof json === 'object' && json !== null && 'next_page' in json;
	if (fault.pagesOnly) return isPage;
	if (fault.jsonOnly) return isJson;
	return hasBody || !(NEEDS_BODY.has(kind) || fault.needsBody);
}

/** The last exchange of each endpoint that the subject asks. */
function endpointsOf({ exchanges }: Observed): Array<[EndpointId, Exchange]> {
	const found = new Map<EndpointId, Exchange>();
	for (const exchange of exchanges) {
		if (exchange.request.endpoint) found.set(exchange.request.endpoint, exchange);
	}
	return [...found];
}

/** Whether a request is the one that an operation is about, in its first use. */
function isMain({ isFirst, main }: Subject, endpoint: EndpointId): boolean {
	return isFirst === true && endpoint === main;
}

function kindOf({ subject, endpoint }: Crossing, { used: { items } }: Observed): Kind {
	if (subject.kind === 'trigger') return 'trigger';
	if (endpoint !== subject.main) return 'further';
	if (subject.waits) return 'waits';
	if (isCreating(endpoint)) return 'creates';
	if (endpoints[endpoint].method !== 'GET') return 'changes';
	return items.some(({ binary }) => binary) ? 'files' : 'reads';
}

/** The subjects of a part: every third, or all of them for what is slow. */
function subjectsOf(part: Part): Subject[] {
	if (part === 'slow') return subjects;
	const parts = PARTS.filter((each) => each !== 'slow');
	return subjects.filter((_, at) => at % parts.length === parts.indexOf(part));
}

/** Declares the tests of one part. */
export function describePart(part: Part): void {
	const own = subjectsOf(part);
	const cells: PageCell[] = [];
	let done = 0;
	const baselines = new Map<Subject, Observed>();
	const arrivedElsewhere: string[] = [];
	const { totalTimeoutMs } = REQUEST_LIMITS;
	const { maxBytes } = BODY_LIMITS;
	const { maxRowBytes } = STATEMENT_LIMITS;
	let elsewhere: Server;
	let log = '';
	let restoreTime: () => void;
	let stopWatching: () => void;

	const place = () => `http://localhost:${(elsewhere.address() as AddressInfo).port}/elsewhere`;

	/** What happens without a fault, once for each subject. */
	const baselineOf = async (subject: Subject): Promise<Observed> => {
		const known = baselines.get(subject);
		if (known) return known;
		const observed = await inHome(subject, async (home) => await observe(subject, home, place()));
		expect(observed).toMatchObject({ hung: false, used: { errors: [] } });
		expect(observed.crash).toBeUndefined();
		expect(observed.used.items).not.toEqual([]);
		if (subject.kind === 'operation') subject.main ??= observed.exchanges[0]?.request.endpoint;
		baselines.set(subject, observed);
		return observed;
	};

	const crossingsOf = async (subject: Subject): Promise<Crossing[]> => {
		const asked = endpointsOf(await baselineOf(subject));
		const first = subjects.indexOf(subject);
		const all = asked.flatMap(([endpoint, exchange]) =>
			matrixFaults
				.filter((fault) => (fault.slow ?? false) === (part === 'slow'))
				.filter((fault) => (fault.only ?? endpoint) === endpoint && applies(fault, exchange))
				.filter((fault) => !fault.mainOnly || isMain(subject, endpoint))
				.filter(({ slow }) => !slow || subject.kind === 'trigger' || isMain(subject, endpoint))
				.map((fault) => ({ subject, endpoint, fault })),
		);
		return all.filter((_, at) => (first + at) % ONE_OF === 0);
	};

	const fill = async (crossing: Crossing, home: Home): Promise<string[]> => {
		const { subject, endpoint, fault } = crossing;
		const baseline = await baselineOf(subject);
		const logged = log.length;
		const observed = await observe(subject, home, place(), { fault, endpoint });
		const { verdict, problems } = judge({
			...crossing,
			baseline,
			observed,
			log: log.slice(logged),
		});
		const kind = kindOf(crossing, baseline);
		cells.push({ subject: subject.title, kind, fault: fault.name, verdict });
		return problems.map((what) => `${fault.name} (${endpoint}): ${what}`);
	};

	const fillOneByOne = async (crossings: Crossing[], home: Home): Promise<string[]> => {
		const problems: string[] = [];
		for (const crossing of crossings) {
			forgetThrottles();
			forgetRunPath();
			problems.push(...(await fill(crossing, home)));
		}
		return problems;
	};

	/** All cells of a subject. What a cell of the trigger leaves behind would be news in the next. */
	const fillAll = async (subject: Subject): Promise<string[]> => {
		const crossings = await crossingsOf(subject);
		if (subject.kind === 'operation') {
			return await inHome(subject, async (home) => await fillOneByOne(crossings, home));
		}
		const problems: string[] = [];
		for (const one of crossings) {
			problems.push(...(await inHome(subject, async (home) => await fillOneByOne([one], home))));
		}
		return problems;
	};

	/** Cells that only wait, side by side. */
	const fillSlow = async (): Promise<string[]> => {
		countTurns();
		const problems: string[] = [];
		await runInParallel(own.length, SLOW_AT_ONCE, async (at) => {
			const found = await fillAll(own[at]);
			problems.push(...found.map((what) => `${own[at].title}: ${what}`));
		});
		return problems.sort();
	};

	beforeAll(async () => {
		BODY_LIMITS.maxBytes = MAX_BYTES;
		STATEMENT_LIMITS.maxRowBytes = MAX_ROW_BYTES;
		if (part === 'slow') REQUEST_LIMITS.totalTimeoutMs = 60_000;
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
		REQUEST_LIMITS.totalTimeoutMs = totalTimeoutMs;
		BODY_LIMITS.maxBytes = maxBytes;
		STATEMENT_LIMITS.maxRowBytes = maxRowBytes;
		elsewhere.closeAllConnections();
		elsewhere.close();
	});

	const tests: Array<[string, () => Promise<string[]>]> =
		part === 'slow'
			? [['everything', fillSlow]]
			: own.map((subject) => [subject.title, async () => await fillAll(subject)]);
	it.each(tests)(
		'%s ends in its result or in an error that helps',
		async (_, work) => {
			expect(await work()).toEqual([]);
			expect(arrivedElsewhere.filter((text) => KEYS.some((key) => text.includes(key)))).toEqual([]);
			done++;
		},
		300_000,
	);

	afterAll(() => {
		// Without a whole run there is nothing to compare.
		const all = DEEP && done === tests.length && bringTogether(part, cells);
		if (!all) return;
		const page = pageOf(matrixFaults, all);
		if (process.env[WRITE]) writeFileSync(PAGE, page);
		// What differs has been found now: `npm run reliability` writes the page anew.
		expect(readFileSync(PAGE, 'utf8')).toBe(page);
	});
}
