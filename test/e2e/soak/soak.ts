import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import axios from 'axios';
import { build } from 'esbuild';

import { type Sandbox, startSandbox } from '../../sandbox';
import { Choices } from '../../sandbox/seed/random';
import { until } from '../../support/until';
import { type N8nServer } from '../n8n/server';
import { credentialData, readWorkflow, withCredential, withParameters } from '../n8n/workflows';
import { startOwnN8n } from '../suite/ownN8n';
import { type MemorySample } from './memoryHook';
import { Submissions } from './submissions';
import { Weather } from './weather';
import { World } from './world';
import { DAY_MS } from '../suite/calendar';

/** Real time, but short. */
const TIMINGS = { pendingMs: 500, runningMs: 3_000, cancelMs: 1_000, logDelayMs: 300 };

/** Whole days that are over, each exported again and again. */
const DAYS = 3;
const EVENTS_A_DAY = 5_000;

const SUBMISSION_LANES = 2;

interface Day {
	workflow: string;
	sha256: string;
}

/** A real n8n at work, and the books of what it has to do and has done. */
export class Soak {
	readonly problems: string[] = [];

	exports = 0;

	private readonly choices: Choices;

	private constructor(
		private readonly n8n: N8nServer,
		private readonly sandbox: Sandbox,
		private readonly folder: string,
		readonly weather: Weather,
		readonly world: World,
		readonly submissions: Submissions,
		private readonly days: Day[],
		seed: number,
	) {
		this.choices = new Choices(seed + 1);
	}

	static async start(seed: number): Promise<Soak> {
		const folder = await mkdtemp(path.join(tmpdir(), 'soak-'));
		const hook = path.join(folder, 'hook.js');
		await build({
			entryPoints: [path.join(__dirname, 'memoryHook.ts')],
			outfile: hook,
			bundle: true,
			platform: 'node',
			format: 'cjs',
			logLevel: 'silent',
		});
		await writeFile(path.join(folder, 'memory.jsonl'), '');
		const sandbox = await startSandbox({
			timings: TIMINGS,
			rateLimit: { requests: 100, windowMs: 5_000 },
			variants: { pageCursors: 'offset', auditOrder: 'shuffled' },
		});
		const n8n = await startOwnN8n('soak', {
			EXTERNAL_HOOK_FILES: hook,
			SOAK_MEMORY: path.join(folder, 'memory.jsonl'),
		});
		const { apiKey } = sandbox.credentials.admin;
		const credential = await n8n.api.createCredential(credentialData(apiKey, sandbox.baseUrl));
		const add = async (file: string, parameters: Record<string, Record<string, unknown>>) => {
			const workflow = withParameters(await readWorkflow(file), parameters);
			return await n8n.api.createWorkflow(withCredential(workflow, credential));
		};
		const folderOf = 'test/e2e/workflows';
		const runs = await add(`${folderOf}/trigger-runs.json`, {
			'Run changed': { filters: { name: 'followed-*' } },
		});
		const audit = await add(`${folderOf}/trigger-audit.json`, {});
		const submit = await add(`${folderOf}/submit-and-wait.json`, {
			Submit: {
				name: '=soak-run-{{ $execution.id }}',
				pythonUri: {
					__rl: true,
					mode: 'path',
					value: "=s3://bucket/jobs/{{ Number($execution.id) % 4 ? 'etl' : 'fail' }}.py",
				},
				waitOptions: { maxIntervalSeconds: 3 },
			},
		});
		const days: Day[] = [];
		for (let ago = 1; ago <= DAYS; ago++) days.push(await prepareDay(sandbox, add, ago));
		const soak = new Soak(
			n8n,
			sandbox,
			folder,
			new Weather(sandbox, new Choices(seed)),
			new World(n8n.api, sandbox, { runs, audit }),
			new Submissions(n8n.api, sandbox, submit),
			days,
			seed,
		);
		await soak.activate([runs, audit]);
		return soak;
	}

	/** Works for so long under faults, then until everything that was begun is done. */
	async run(ms: number): Promise<void> {
		const end = Date.now() + ms;
		let hasFailed = false;
		const repeat = async (work: () => Promise<void> | void, pauseMs: () => number) => {
			while (Date.now() < end && !hasFailed) {
				try {
					await work();
				} catch (error) {
					// When one cannot go on, the others are of no use any more.
					hasFailed = true;
					throw error;
				}
				await sleep(pauseMs());
			}
		};
		const some = (low: number, high: number) => () => this.choices.between(low, high);
		const faults = repeat(() => this.weather.change(), some(2_000, 5_000));
		await Promise.all([
			faults.then(() => this.weather.clear()),
			repeat(() => this.world.change(), some(700, 1_500)),
			repeat(async () => await this.world.look(), some(5_000, 5_000)),
			repeat(async () => await this.exportDay(), some(6_000, 12_000)),
			...Array.from(
				{ length: SUBMISSION_LANES },
				async () => await repeat(async () => await this.submissions.submit(), some(500, 3_000)),
			),
		]);
		await this.world.caughtUp({ timeoutMs: 180_000, everyMs: 2_000 });
		await this.world.anotherPoll();
	}

	/** What n8n held after each collection of garbage, oldest first. */
	async memory(): Promise<MemorySample[]> {
		const text = await readFile(path.join(this.folder, 'memory.jsonl'), 'utf8');
		return text
			.trim()
			.split('\n')
			.map((line) => JSON.parse(line) as MemorySample);
	}

	async end(): Promise<void> {
		await this.n8n.stop();
		await this.sandbox.stop();
		await rm(this.folder, { recursive: true, force: true });
	}

	private async activate(workflows: string[]): Promise<void> {
		for (const id of workflows) await this.n8n.api.activate(id);
		const { requests } = this.sandbox;
		const patient = { timeoutMs: 120_000, everyMs: 250 };
		await until(() => requests.of('listRuns').length >= 2, patient);
		await until(() => requests.of('queryAuditLog').length >= 1, patient);
		// What is of the second in which a first poll began is not told apart from what was before.
		await sleep(2_000);
	}

	/** Exports one of the days, and compares what n8n has stored with what the service has. */
	private async exportDay(): Promise<void> {
		const { workflow, sha256 } = this.choices.of(this.days);
		const execution = await this.n8n.api.run(workflow);
		this.exports += 1;
		if (execution.status !== 'success') return void this.problems.push(String(execution));
		const [{ json, binary }] = execution.items('Export');
		const bytes = await this.n8n.api.binary(String(binary?.data.id));
		const stored = createHash('sha256').update(bytes).digest('hex');
		if (json.rows !== EVENTS_A_DAY || json.sha256 !== sha256 || stored !== sha256) {
			this.problems.push(`export ${execution.id}: ${String(json.rows)} rows, sha256 ${stored}`);
		}
	}
}

/** Records the events of a day that is over, and exports it once without the package. */
async function prepareDay(
	sandbox: Sandbox,
	add: (file: string, parameters: Record<string, Record<string, unknown>>) => Promise<string>,
	ago: number,
): Promise<Day> {
	const start = Math.floor(Date.now() / DAY_MS) * DAY_MS - (ago + 1) * DAY_MS;
	for (let index = 0; index < EVENTS_A_DAY; index++) {
		sandbox.store.recordEvent({
			event_time: start + (index * DAY_MS) / EVENTS_A_DAY,
			resource_name: `a "quoted", name of day ${ago}, number ${index}\nand Zoë 東京`,
		});
	}
	const text = (time: number) => new Date(time).toISOString();
	const { data } = await axios.get<Buffer>(`${sandbox.baseUrl}/audit-log/export`, {
		headers: { 'x-api-key': sandbox.credentials.admin.apiKey },
		params: {
			startTime: text(start),
			endTime: text(start + DAY_MS - 1).replace('.999Z', '.999999Z'),
		},
		responseType: 'arraybuffer',
		proxy: false,
	});
	const workflow = await add('test/e2e/workflows/export-day.json', {
		Export: { timeRange: 'custom', from: text(start), to: text(start + DAY_MS) },
	});
	return { workflow, sha256: createHash('sha256').update(data).digest('hex') };
}
