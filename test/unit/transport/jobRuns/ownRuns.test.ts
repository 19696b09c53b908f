import type { INode } from 'n8n-workflow';

import type { Run } from '../../../../nodes/Wherobots/service/types';
import type { Client } from '../../../../nodes/Wherobots/transport/client';
import { toNodeApiError } from '../../../../nodes/Wherobots/transport/failures/errors';
import {
	forgetOwnRuns,
	isOwn,
	remember,
	rememberedRuns,
} from '../../../../nodes/Wherobots/transport/jobRuns/findByName';
import { suiteWithInstantPauses } from '../../../support/virtualTime';

const time = suiteWithInstantPauses();
beforeEach(forgetOwnRuns);

const runOf = (id: string, status = 'RUNNING', name = 'nightly') => ({ id, name, status }) as Run;

const refusal = (status: number) =>
	toNodeApiError({} as INode, { message: 'm', description: '', httpCode: String(status) });

/** A client whose service shows these runs, and which of them were read. */
function showing(runs: Record<string, Run | number>, account = 'me') {
	const reads: string[] = [];
	const call = async (_: string, { path }: { path: { run_id: string } }) => {
		reads.push(path.run_id);
		const run = runs[path.run_id] ?? 404;
		return await (typeof run === 'number' ? Promise.reject(refusal(run)) : Promise.resolve(run));
	};
	return { client: { account, call } as unknown as Client, reads };
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
	expect(await remembered(showing({}, 'you').client)).toEqual([]);
	forgetOwnRuns();
	expect(await remembered(client)).toEqual([]);
});

it('a run that has ended is not read again', async () => {
	const { client, reads } = showing({ a: runOf('a', 'FAILED') });
	remember(client, runOf('a', 'PENDING'));
	expect(await remembered(client)).toEqual(['a FAILED']);
	expect(await remembered(client)).toEqual(['a FAILED']);
	expect(reads).toEqual(['a']);
});

it('a run that the service cannot find yet counts for ten minutes', async () => {
	const { client } = showing({});
	remember(client, runOf('a', 'PENDING'));
	time.now = 599_999;
	expect(await remembered(client)).toEqual(['a PENDING']);
	time.now = 600_000;
	expect(await remembered(client)).toEqual([]);
});

it('another failure is not taken for a run that is not there', async () => {
	const { client } = showing({ a: 500 });
	remember(client, runOf('a', 'PENDING'));
	await expect(remembered(client)).rejects.toMatchObject({ httpCode: '500' });
});

it('a run is known by its credential and its ID, until another comes ten minutes later', () => {
	const { client } = showing({});
	remember(client, runOf('a'));
	expect(isOwn(client, runOf('a'))).toBe(true);
	expect(isOwn(client, runOf('b'))).toBe(false);
	expect(isOwn(showing({}, 'you').client, runOf('a'))).toBe(false);
	time.now = 599_999;
	remember(client, runOf('b'));
	expect(isOwn(client, runOf('a'))).toBe(true);
	time.now = 600_000;
	remember(client, runOf('c'));
	expect([isOwn(client, runOf('a')), isOwn(client, runOf('b'))]).toEqual([false, true]);
});
