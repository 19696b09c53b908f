import { Failure } from '../../../../nodes/Wherobots/transport/failure';
import { JobRun } from '../../../../nodes/Wherobots/service/records/jobRun';
import type { Client } from '../../../../nodes/Wherobots/transport/client';
import {
	findByName,
	yieldToEarlierRun,
	formatSecondBefore,
	type Reuse,
} from '../../../../nodes/Wherobots/useCases/runs/findByName';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const HOUR = 3_600_000;
const BEFORE = '2026-11-21T10:59:59.999Z';

const runOf = (id: string, status: string, createTime = '2026-11-21T11:30:00Z', name = 'nightly') =>
	new JobRun({ id, name, status, createTime });

const active: Reuse = { which: 'active' };
const any: Reuse = { which: 'any', withinMs: HOUR, evenFailed: true };
const good: Reuse = { ...any, evenFailed: false };

/** A client whose service lists these runs, and answers so when one is read by its ID. */
function listing(listed: JobRun[], read?: Error) {
	const call = async (id: string) =>
		await (id === 'getRun' && read
			? Promise.reject(read)
			: Promise.resolve({ items: listed.map(({ raw }) => raw) }));
	return { serviceNow: () => NOW, call } as unknown as Client;
}

const found = async (listed: JobRun[], reuse: Reuse) =>
	(await findByName(listing(listed), 'nightly', reuse, []))?.id;

it('takes the earliest of several active runs, and the newest of others', async () => {
	const times = ['2026-11-21T11:20:00Z', '2026-11-21T11:10:00Z', '2026-11-21T11:30:00Z'];
	const runs = (status: string) => times.map((time, index) => runOf(`r${index}`, status, time));
	expect(await found(runs('PENDING'), active)).toBe('r1');
	expect(await found(runs('COMPLETED'), any)).toBe('r2');
});

it('takes an active run with an unknown creation time only after all others', async () => {
	const runs = [runOf('a', 'RUNNING', 'then'), runOf('b', 'RUNNING')];
	expect(await found(runs, active)).toBe('b');
	expect(await found(runs.reverse(), active)).toBe('b');
});

it('a submission of this process counts while the service cannot find it, but not in an outage', async () => {
	const own = [{ run: runOf('a', 'PENDING') }];
	const finding = async (status: number) => {
		const refusal = new Failure({ message: 'm', description: '', httpCode: String(status) });
		return await findByName(listing([], refusal), 'nightly', active, own);
	};
	expect(await finding(404)).toMatchObject({ id: 'a', status: 'PENDING' });
	// Of several, the newest no longer gives way to another one.
	own.unshift({ run: runOf('b', 'PENDING') });
	expect(await finding(404)).toMatchObject({ id: 'b' });
	await expect(finding(500)).rejects.toMatchObject({ httpCode: '500' });
});

it.each([
	['an active run', runOf('a', 'RUNNING'), active, true],
	['a run with an unknown status', runOf('a', 'PAUSED'), active, false],
	['a run as the period begins', runOf('a', 'COMPLETED', '2026-11-21T11:00:00Z'), any, true],
	['a run before the period', runOf('a', 'COMPLETED', BEFORE), any, false],
	['an active run before the period', runOf('a', 'RUNNING', BEFORE), any, false],
	['a run with an unknown creation time', runOf('a', 'COMPLETED', 'then'), any, false],
	['a run with an unknown status in the period', runOf('a', 'PAUSED'), good, true],
])('whether %s is used', async (_, run, reuse, expected) => {
	expect(await found([run], reuse)).toBe(expected ? 'a' : undefined);
});

it.each([
	['2026-11-21T12:00:00.000Z', '2026-11-21T11:59:59Z'],
	['2026-11-21T12:00:00.001Z', '2026-11-21T12:00:00Z'],
])('the whole second before %s is %s', (time, second) => {
	expect(formatSecondBefore(Date.parse(time))).toBe(second);
});

describe('a run that was submitted at the same moment', () => {
	const created = (id: string, second: number | string) =>
		runOf(id, 'PENDING', typeof second === 'string' ? second : `2026-11-21T11:59:0${second}Z`);

	/** Which earlier run of a list it gives way to; its own is cancelled then. */
	async function givingWay(own: JobRun, listed: JobRun[]) {
		const call = async () => await Promise.resolve({ items: listed.map(({ raw }) => raw) });
		const client = { serviceNow: () => NOW, evenWhenCancelled: () => client, call };
		return await yieldToEarlierRun(client as unknown as Client, own, active);
	}

	it('the run that is later according to the list is cancelled', async () => {
		const listed = [created('a', 3), created('b', 2)];
		expect(await givingWay(created('a', 1), listed)).toEqual(listed[1]);
	});

	it.each<[string, JobRun, JobRun[]]>([
		[
			'it is the earlier one according to the list',
			created('a', 3),
			[created('a', 1), created('b', 2)],
		],
		['its creation time is unknown', created('a', 'then'), [created('b', 1)]],
	])('a run is kept when %s', async (_, own, listed) => {
		expect(await givingWay(own, listed)).toBeUndefined();
	});
});
