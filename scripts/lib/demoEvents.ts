import type { Sandbox } from '../../test/sandbox';
import { people } from '../../test/sandbox/model/people';
import { type Exchange, observeExchanges } from '../../test/sandbox/server/exchanges';

/** How often the schedule of the demo runs its task. */
const SCHEDULE_MS = 180_000;

/** Names of endpoints that change something; the presigned addresses of files are only asked for. */
const CHANGES = /^(create|update|upsert|revoke|delete|cancel|rename|verify|run)(?!\w*Url$)/;

/** What the audit log calls things that the endpoints have another name for. */
const RENAMED: Record<string, string> = {
	createRun: 'CREATE_JOB_RUN',
	cancelRun: 'CANCEL_JOB_RUN',
	runTask: 'CREATE_TASK_RUN',
};

/**
 * Makes things happen in the demo, for the trigger to notice: what a person changes is in the audit log at
 * once, and a scheduled task runs every few minutes and fails every other time.
 *
 * @returns the way to stop
 */
export function keepHappening({ store }: Sandbox): () => void {
	const stopRecording = observeExchanges(({ request, response }: Exchange) => {
		const { endpoint = '' } = request;
		if ((response?.status ?? 500) >= 300 || !CHANGES.test(endpoint)) return;
		const body = (response?.json ?? {}) as { id?: string | number; name?: string };
		store.recordEvent({
			action_name: RENAMED[endpoint] ?? endpoint.replace(/[A-Z]/g, '_$&').toUpperCase(),
			user_id: people.admin.id,
			user_name: people.admin.email ?? people.admin.name,
			user_agent: String(request.headers['user-agent'] ?? 'n8n'),
			resource_name: body.name ?? request.path.split('/').at(-1),
			resource_id: body.id === undefined ? null : String(body.id),
		});
	});
	let runs = 0;
	const schedule = setInterval(() => {
		runs += 1;
		store.tasks.createRun({
			...{ taskName: 'nightly_tiles', type: 'scripttask', runSource: 'schedule' },
			state: runs % 2 === 1 ? 'FAILED' : 'SUCCEEDED',
		});
	}, SCHEDULE_MS);
	return () => {
		stopRecording();
		clearInterval(schedule);
	};
}

/** What makes each event of the trigger fire in the demo. */
export const HOW_TO_SEE: Array<[event: string, what: string]> = [
	[
		'Job Run Status Changed',
		'create a job run with any Python File; one with "fail" in its name fails',
	],
	[
		'Job Run Exceeds Duration',
		'create one with "slow" in the name of its file, and set a limit of 1 minute; fires five minutes after that limit',
	],
	['Job Run Exceeds Cost', 'the same, with a limit of 0.01'],
	[
		'Task Run State Changed',
		'wait: a scheduled run starts every three minutes, and every other one fails',
	],
	['Audit Event Recorded', 'change anything, such as an API key: it is recorded at once'],
	['Table Changed', 'insert a row with Table: Insert Rows, or with SQL'],
];
