import type { RunRequest } from '../../../../nodes/Wherobots/service/jobRuns/runRequests';
import type { Run } from '../../../../nodes/Wherobots/service/types';
import type { Client } from '../../../../nodes/Wherobots/transport/client';
import { clock } from '../../../../nodes/Wherobots/transport/clock';
import type { LostResponse } from '../../../../nodes/Wherobots/transport/creation/lostResponse';
import {
	forgetOpenSubmissions,
	foundMeanwhile,
	noteFound,
	noteOpen,
	openSubmission,
} from '../../../../nodes/Wherobots/transport/jobRuns/openSubmissions';

const real = { ...clock };
let now = 0;

beforeEach(() => {
	forgetOpenSubmissions();
	now = 1_000;
	clock.monotonic = () => now;
});

afterEach(() => Object.assign(clock, real));

const clientOf = (account = 'me', baseUrl = 'https://a') => ({ account, baseUrl }) as Client;
const client = clientOf();
const requestOf = (name = 'nightly') => ({ payload: { name } }) as RunRequest;
const lostAt = (sentAt: number) => ({ sentAt }) as LostResponse;

it('a submission is open for its address, credential and name, for five minutes', () => {
	const submission = { request: requestOf(), lost: lostAt(now) };
	expect(openSubmission(client, requestOf())).toBeUndefined();
	noteOpen(client, submission);
	expect(openSubmission(client, requestOf())).toBe(submission);
	for (const other of [clientOf('you'), clientOf('me', 'https://b'), clientOf('ame', 'https://')]) {
		expect(openSubmission(other, requestOf())).toBeUndefined();
	}
	expect(openSubmission(client, requestOf('hourly'))).toBeUndefined();
	now += 299_999;
	expect(openSubmission(client, requestOf())).toBe(submission);
	now += 1;
	expect(openSubmission(client, requestOf())).toBeUndefined();
});

it('nothing is open after a restart', () => {
	noteOpen(client, { request: requestOf(), lost: lostAt(now) });
	forgetOpenSubmissions();
	expect(openSubmission(client, requestOf())).toBeUndefined();
});

it('only what is old enough is forgotten when another comes', () => {
	const first = { request: requestOf(), lost: lostAt(now) };
	noteOpen(client, first);
	noteOpen(client, { request: requestOf('hourly'), lost: lostAt(now) });
	expect(openSubmission(client, requestOf())).toBe(first);
	now += 300_000;
	noteOpen(client, { request: requestOf('hourly'), lost: lostAt(now) });
	now -= 1;
	expect(openSubmission(client, requestOf())).toBeUndefined();
	expect(openSubmission(client, requestOf('hourly'))).toBeDefined();
});

it('what was found is not open any more, and known to the one that submitted it', () => {
	const [mine, other] = [lostAt(now), lostAt(now)];
	const run = { id: 'r' } as Run;
	noteOpen(client, { request: requestOf(), lost: mine });
	noteOpen(client, { request: requestOf('hourly'), lost: other });
	noteFound(mine, run);
	expect(openSubmission(client, requestOf())).toBeUndefined();
	expect(openSubmission(client, requestOf('hourly'))).toBeDefined();
	expect([foundMeanwhile(mine), foundMeanwhile(other)]).toEqual([run, undefined]);
	noteFound(other);
	expect(foundMeanwhile(other)).toBeUndefined();
	expect(openSubmission(client, requestOf('hourly'))).toBeUndefined();
	// The request that has led to the run notes it too, once it has asked.
	noteFound(mine);
	expect(foundMeanwhile(mine)).toBe(run);
});
