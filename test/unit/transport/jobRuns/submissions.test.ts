import type { INode } from 'n8n-workflow';

import type { Run } from '../../../../nodes/Wherobots/service/types';
import type { Client } from '../../../../nodes/Wherobots/transport/client';
import { clock } from '../../../../nodes/Wherobots/transport/clock';
import { toNodeApiError } from '../../../../nodes/Wherobots/transport/failures/errors';
import {
	forgetSubmissions,
	remember,
	rememberedRuns,
} from '../../../../nodes/Wherobots/transport/jobRuns/submissions';

const real = { ...clock };
let now = 0;

beforeEach(() => {
	forgetSubmissions();
	now = 0;
	clock.monotonic = () => now;
});

afterEach(() => Object.assign(clock, real));

const runOf = (id: string, status = 'RUNNING', name = 'nightly') => ({ id, name, status }) as Run;

const refusal = (status: number) =>
	toNodeApiError({} as INode, { message: 'm', description: '', httpCode: String(status) });

/** A client whose service shows these runs, and which of them were read. */
function showing(runs: Record<string, Run | number>, account = 'me', baseUrl = 'https://a') {
	const reads: string[] = [];
	const call = async (_: string, { path }: { path: { run_id: string } }) => {
		reads.push(path.run_id);
		const run = runs[path.run_id] ?? 404;
		return await (typeof run === 'number' ? Promise.reject(refusal(run)) : Promise.resolve(run));
	};
	return { client: { account, baseUrl, call } as unknown as Client, reads };
}

async function remembered(client: Client, name = 'nightly'): Promise<string[]> {
	const found: string[] = [];
	for await (const { id, status } of rememberedRuns(client, name)) found.push(`${id} ${status}`);
	return found;
}

it('runs of a name are given as they are now, the newest first', async () => {
	const { client } = showing({ a: runOf('a'), b: runOf('b', 'COMPLETED') });
	for (const id of ['a', 'b']) remember(client, runOf(id, 'PENDING'));
	remember(client, runOf('c', 'PENDING', 'hourly'));
	expect(await remembered(client)).toEqual(['b COMPLETED', 'a RUNNING']);
	expect(await remembered(showing({}, 'me', 'https://b').client)).toEqual([]);
	forgetSubmissions();
	expect(await remembered(client)).toEqual([]);
});

it('a run that has ended is not read again, except with another credential', async () => {
	const { client, reads } = showing({ a: runOf('a', 'FAILED') });
	remember(client, runOf('a', 'PENDING'));
	expect(await remembered(client)).toEqual(['a FAILED']);
	expect(await remembered(client)).toEqual(['a FAILED']);
	expect(reads).toEqual(['a']);
	const other = showing({ a: 403 }, 'other');
	expect(await remembered(other.client)).toEqual([]);
	expect(other.reads).toEqual(['a']);
});

it('a run that the service cannot find yet counts for ten minutes', async () => {
	const { client } = showing({});
	remember(client, runOf('a', 'PENDING'));
	now = 599_999;
	expect(await remembered(client)).toEqual(['a PENDING']);
	expect(await remembered(showing({}, 'other').client)).toEqual([]);
	now = 600_000;
	expect(await remembered(client)).toEqual([]);
});

it('another failure is not taken for a run that is not there', async () => {
	const { client } = showing({ a: 500 });
	remember(client, runOf('a', 'PENDING'));
	await expect(remembered(client)).rejects.toMatchObject({ httpCode: '500' });
});

it('what is a day old is forgotten when the next one comes', async () => {
	const { client } = showing({ a: runOf('a'), b: runOf('b'), c: runOf('c') });
	remember(client, runOf('a'));
	now = 86_399_999;
	remember(client, runOf('b'));
	expect(await remembered(client)).toHaveLength(2);
	now = 86_400_000;
	remember(client, runOf('c'));
	expect(await remembered(client)).toEqual(['c RUNNING', 'b RUNNING']);
});

it('of more than two thousand, the oldest are forgotten', async () => {
	const { client } = showing({ first: runOf('first'), second: runOf('second') });
	remember(client, runOf('first'));
	remember(client, runOf('second'));
	for (let index = 0; index < 1_998; index++) remember(client, runOf(`x${index}`, 'FAILED', 'x'));
	expect(await remembered(client)).toHaveLength(2);
	remember(client, runOf('last', 'FAILED', 'x'));
	expect(await remembered(client)).toEqual(['second RUNNING']);
});
