import { ACTIVE_STATUSES } from '../../service/runs';
import type { Run } from '../../service/types';
import type { Client } from '../../transport/client';
import { CancelledError } from '../../transport/clock';
import { collect } from '../../transport/pagination';
import type { Operation } from '../operation';
import * as form from './createFields';
import { runItem } from './output';
import { readRunRequest, type RunRequest } from './payload';
import { cancelQuietly, ended, waitForEnd } from './waiting';
import { readWaitOptions } from './waitOptions';

export const create: Operation = {
	option: {
		name: 'Create',
		value: 'create',
		action: 'Create job run',
		description: 'Submit a Python file or a JAR as a job run, and wait for it if wanted',
	},
	fields: form.createFields,
	kind: 'write',
	async execute(call) {
		const { client, input } = call;
		const request = readRunRequest(input);
		const wait = input.flag(form.waitField) ? readWaitOptions(input, true) : undefined;
		const reusable = input.within(form.optionsField).flag(form.reuseActiveField)
			? await findActive(client, request.payload.name)
			: undefined;
		const run = reusable ?? (await submit(client, request));
		const mark = { reused: reusable !== undefined };

		if (!wait) return [withFacts(runItem(input, run), mark)];
		// Another execution may be waiting for a run that was found: only an own one is cancelled.
		const cancelOnStop = wait.cancelOnStop && !reusable;
		if (client.signal?.aborted && cancelOnStop) {
			await cancelQuietly(client, run.id);
			throw new CancelledError();
		}
		const finish = async () => {
			const last = await waitForEnd(client, run.id, { ...wait, cancelOnStop });
			return (await ended(call, last, wait)).map((entry) => withFacts(entry, mark));
		};
		return { finish };
	},
};

/**
 * Submits a run. What has been sent comes to its end even when the execution is stopped meanwhile:
 * only an answer tells the id, and without the id the run could not be cancelled.
 */
async function submit(client: Client, { region, payload }: RunRequest): Promise<Run> {
	const lookFor = `a job run named "${payload.name}" (Job Run: Get Many with this name)`;
	const run = await client.call<Run | undefined>('createRun', {
		query: { region },
		body: payload,
		lookFor,
		finishOnceSent: true,
	});
	if (typeof run?.id === 'string' && run.id !== '') return run;
	throw client.error({
		message: 'The answer to the submission names no job run',
		description: `Before you repeat it, look for ${lookFor}.`,
		codes: [],
		ambiguous: true,
	});
}

/** The newest active run of exactly this name, in any region. */
async function findActive(client: Client, name: string): Promise<Run | undefined> {
	const runs = await collect<Run>(client, 'listRuns', {
		query: { name, status: [...ACTIVE_STATUSES] },
	});
	return runs
		.filter(
			(run) => run.name === name && (ACTIVE_STATUSES as readonly string[]).includes(run.status),
		)
		.sort((a, b) => String(b.createTime).localeCompare(String(a.createTime)))[0];
}

function withFacts<T extends { json: object }>(entry: T, facts: object): T {
	return { ...entry, json: { ...entry.json, ...facts } };
}
