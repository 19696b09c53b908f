/** A small job run that fails on purpose: what its submission, its log and its script's file show. */
import { errorsOf, isOk, ok, outcomeOf, recordOf, type Answer } from '../api';
import { encoded, text, type Live } from '../context';
import { recordsIn, type Json } from '../shape';
import type { Made } from './made';

/** What the script writes, so that a reader of the log knows that it is the right one. */
export const MARK = 'n8n live check: line';

/** How long the text is that the script returns as its output, close to the most that may be returned. */
export const OUTPUT_LENGTH = 60_000;

export const CAUSE = 'n8n live check: this failure is expected';

const SCRIPT = `for number in range(1, 6):
    print("${MARK}", number)
print("N8N_OUTPUT", '"' + "x" * ${OUTPUT_LENGTH} + '"')
raise ValueError("${CAUSE}")
`;

const POLL_MS = 10_000;

/** Longer than a cold start takes. */
const LONGEST_MS = 30 * 60_000;

/** For the log to arrive after the end. */
const LOG_MS = 90_000;

const ENDED = ['COMPLETED', 'FAILED', 'CANCELLED', 'TIMED_OUT'];

export interface JobTrial {
	/** The storage's path and the path of the request, whose sum the address should be. */
	expectedDestination: string;
	destination?: string;
	/** Of the upload to the storage. */
	putStatus?: number;
	/** The folder that was made and listed while it was empty, and made once more. */
	folder: { made?: Answer; empty?: Answer; again?: Answer };
	/** Submissions, of which only the last may have succeeded. */
	submissions: Answer[];
	/** A submission without a runtime, and without a program, so that it is refused in any case. */
	withoutRuntime?: Answer;
	/** What the submissions left out in the end. */
	leftOut: string[];
	statuses: string[];
	run?: Json;
	/** The log after the end. */
	lines: string[];
}

/** Uploads the script and submits the run, and returns how to wait for its end. */
export async function startJobRun(live: Live, made: Made, runtime: string) {
	const { api } = live;
	const { id, folder } = await live.defaultFolder();
	const stamp = String(Date.now());
	const name = `n8n-live-check-fail-${stamp}`;
	const scripts = `${folder}/scripts`;
	const own = `${folder}/n8n-live-check-${stamp}`;
	const path = `${scripts}/${name}.py`;
	const storagePath = text((await live.managed()).path).replace(/\/+$/, '');
	const trial: JobTrial = {
		expectedDestination: `${storagePath}/${path}`,
		folder: {},
		submissions: [],
		leftOut: [],
		statuses: [],
		lines: [],
	};
	live.job = trial;
	await makeFolder(live, made, trial, { id, own });
	await upload(live, made, trial, { id, scripts, path });
	if (!trial.destination) return async () => {};
	made.add(`the job run ${name}`, async () => await cancelNamed(live, name));
	const runId = await submit(live, trial, { name, runtime });
	await tryWithoutRuntime(live, made, trial, `n8n-live-check-nothing-${stamp}`);
	return async () => {
		if (runId === undefined) return;
		await watch(live, trial, runId);
		trial.lines = await readLog(live, runId);
		// What lists and costs say of this run is a part of the other checks.
		api.trace = [];
	};
}

async function makeFolder(
	{ api }: Live,
	made: Made,
	trial: JobTrial,
	{ id, own }: { id: string; own: string },
): Promise<void> {
	const values = { id, path: encoded(`${own}/`) };
	const path = '/storage/{id}/directories/{path}';
	made.add(`the folder ${own}`, async () => {
		const answer = await api.send('DELETE', path, { values, removes: true });
		if (answer.status !== 404) ok(answer);
	});
	trial.folder.made = await api.send('PUT', path, { values, creates: true });
	if (!isOk(trial.folder.made)) return;
	trial.folder.empty = await api.send('GET', path, { values });
	trial.folder.again = await api.send('PUT', path, { values, creates: true });
}

async function upload(
	{ api }: Live,
	made: Made,
	trial: JobTrial,
	{ id, scripts, path }: { id: string; scripts: string; path: string },
): Promise<void> {
	// It may exist; it is left there, because others may use it meanwhile.
	const parent = { id, path: encoded(`${scripts}/`) };
	await api.send('PUT', '/storage/{id}/directories/{path}', { values: parent, creates: true });
	const values = { id, path: encoded(path) };
	const answer = await api.send('POST', '/storage/{id}/file-upload-url/{path}', { values });
	const { destination, uploadUrl } = recordOf(answer);
	made.add(`the file ${path}`, async () => {
		const removed = await api.send('DELETE', '/storage/{id}/files/{path}', {
			values,
			removes: true,
		});
		if (removed.status !== 404) ok(removed);
	});
	const body = new TextEncoder().encode(SCRIPT);
	const { signal } = api.options;
	const put = await fetch(text(uploadUrl), { method: 'PUT', body, redirect: 'manual', signal });
	trial.putStatus = put.status;
	if (put.ok) trial.destination = text(destination);
}

/** Submits the run with as little as possible, and adds what is refused as missing. */
async function submit(
	{ api }: Live,
	trial: JobTrial,
	{ name, runtime }: { name: string; runtime: string },
): Promise<string | undefined> {
	const organization = recordOf(await api.get('/organization'));
	const leftOut = ['region', 'dependencies'];
	for (;;) {
		const has = (part: string) => !leftOut.includes(part);
		const answer = await api.send('POST', '/runs', {
			creates: true,
			query: has('region') ? { region: text(organization.defaultRegion) } : {},
			body: {
				...{ runtime, name, timeoutSeconds: 900 },
				runPython: { uri: trial.destination, args: [] },
				environment: {
					sparkConfigs: { 'spark.n8n.liveCheck': 'true' },
					...(has('dependencies') ? { dependencies: [] } : {}),
				},
			},
		});
		trial.submissions.push(answer);
		if (isOk(answer)) {
			const run = recordOf(answer);
			trial.leftOut = leftOut;
			trial.statuses.push(text(run.status));
			return text(run.id) || undefined;
		}
		const said = JSON.stringify(errorsOf(answer));
		const missing = leftOut.find((part) => said.includes(part));
		if (answer.status !== 422 || missing === undefined) return undefined;
		leftOut.splice(leftOut.indexOf(missing), 1);
	}
}

/** Nothing should come of it; if something does, it is cancelled at once. */
async function tryWithoutRuntime(live: Live, made: Made, trial: JobTrial, name: string) {
	made.add(`the job run ${name}`, async () => await cancelNamed(live, name));
	const region = text(recordOf(await live.api.get('/organization')).defaultRegion);
	const ask = { query: { region }, body: { name, timeoutSeconds: 60 }, creates: true };
	trial.withoutRuntime = await live.api.send('POST', '/runs', ask);
	if (isOk(trial.withoutRuntime)) await cancelNamed(live, name);
}

/** Follows a run to its end, or to the longest time. */
async function watch({ api }: Live, trial: JobTrial, id: string): Promise<void> {
	for (let waited = 0; waited < LONGEST_MS; waited += POLL_MS) {
		const answer = await api.send('GET', '/runs/{id}', { values: { id } });
		if (isOk(answer)) {
			trial.run = recordOf(answer);
			const status = text(trial.run.status);
			if (trial.statuses.at(-1) !== status) trial.statuses.push(status);
			if (ENDED.includes(status)) return;
		}
		await api.options.pause(POLL_MS);
	}
}

/** The log of a run that has ended, once it stays the same. */
async function readLog({ api }: Live, id: string): Promise<string[]> {
	let lines: string[] = [];
	for (let waited = 0; waited < LOG_MS; waited += POLL_MS) {
		const query = { cursor: '0', size: '1000' };
		const answer = await api.send('GET', '/runs/{id}/logs', { values: { id }, query });
		const now = recordsIn(answer.json).map(({ raw }) => text(raw));
		if (now.length > 0 && now.length === lines.length) break;
		lines = now;
		await api.options.pause(POLL_MS);
	}
	return lines;
}

/** Cancels what runs under this name. The name is unique, and the response may have been lost. */
async function cancelNamed({ api }: Live, name: string): Promise<void> {
	const answer = await api.send('GET', '/runs', { query: { name }, removes: true });
	for (const { id, name: found, status } of recordsIn(ok(answer).json)) {
		if (found !== name || ENDED.includes(text(status))) continue;
		const values = { id: text(id) };
		const cancelled = await api.send('POST', '/runs/{id}/cancel', { values, removes: true });
		if (!isOk(cancelled) && cancelled.status !== 409) throw new Error(outcomeOf(cancelled));
	}
}
