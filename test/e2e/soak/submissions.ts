import { type Sandbox } from '../../sandbox';
import { type N8nApi } from '../n8n/api';
import { type ExecutionResult } from '../n8n/execution';

/** Executions that submit a run each and wait for its end, and whether each did so once. */
export class Submissions {
	readonly problems: string[] = [];

	succeeded = 0;

	/** The run failed, and so did the execution, as it should. */
	runFailed = 0;

	/** No run was submitted, and the execution said so. */
	notSubmitted = 0;

	/** The response to the submission was lost, and the run was found, however it ended. */
	recovered = 0;

	constructor(
		private readonly api: N8nApi,
		private readonly sandbox: Sandbox,
		private readonly workflow: string,
	) {}

	get count(): number {
		return this.succeeded + this.runFailed + this.notSubmitted + this.problems.length;
	}

	async submit(): Promise<void> {
		const execution = await this.api.run(this.workflow);
		const problem = this.enter(execution);
		if (problem) this.problems.push(`${String(execution)}: ${problem}`);
	}

	/** Enters an execution into the books; what is wrong with it, if anything is. */
	private enter(execution: ExecutionResult): string | undefined {
		const name = `soak-run-${execution.id}`;
		const runs = this.sandbox.store.runs.all().filter(({ payload }) => payload.name === name);
		if (runs.length > 1) return `${runs.length} runs were submitted`;
		const [run] = runs;
		const wasLost = run !== undefined && this.hasMetFault(name);
		const isToFail = Number(execution.id) % 4 === 0;
		if (execution.status === 'success') {
			const [output] = execution.json('Submit');
			if (isToFail) return 'its run failed';
			if (!run || output.id !== run.id || output.status !== 'COMPLETED') return 'is another run';
			if ((output.recovered === true) !== wasLost) return `response was lost: ${String(wasLost)}`;
			this.succeeded += 1;
			if (wasLost) this.recovered += 1;
			return undefined;
		}
		if (!run) {
			if (!/did not find the run/.test(execution.error?.description ?? '')) return 'has no run';
			this.notSubmitted += 1;
			return undefined;
		}
		const says = `Job run "${name}" failed`;
		if (!isToFail || !execution.error?.message.startsWith(says)) return 'its run went well';
		this.runFailed += 1;
		if (wasLost) this.recovered += 1;
		return undefined;
	}

	/** Whether a fault met the last attempt to submit a run of this name. */
	private hasMetFault(name: string): boolean {
		const attempts = this.sandbox.requests.of('createRun');
		const ofRun = attempts.filter(({ body }) => (body as { name?: string }).name === name);
		return ofRun.at(-1)?.fault !== undefined;
	}
}
