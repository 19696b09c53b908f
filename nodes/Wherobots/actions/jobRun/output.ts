import type { INodeExecutionData } from 'n8n-workflow';

import { withFacts } from '../../parameters/items';
import { shape } from '../../parameters/shape';
import { messageOf, outcomeOf, simplifyRun, sparkUiOf } from '../../service/jobRuns/runs';
import type { Run } from '../../service/types';
import { Failure, type Context } from '../../transport/failure';
import { lines } from '../../transport/text';
import {
	explainRun,
	explanationFacts,
	explanationFields,
	type RunExplanation,
} from '../../transport/jobRuns/explainRun';
import { costFields } from '../../transport/jobRuns/runCosts';
import type { Call } from '../operations/operation';
import type { WaitOptions } from './waitOptions';

type Reading = Pick<Call, 'input' | 'client'>;

/** The fields of a run that people need, with durations up to now. */
export function simplify(run: Run, { client }: Reading) {
	return simplifyRun(run, client.serviceNow());
}

/** The output item of a run, simplified or raw as the form says. */
export function runItem(call: Reading, run: Run): INodeExecutionData {
	return shape(call.input, [run], (each) => simplify(each, call))[0];
}

/** A failed run's log is read until no line has arrived for this long: its last lines say why. */
const QUIET_MS = 6_000;

/** Maximum lengths: of the cause in the title of an error, and of the service's message and the excerpt below it. */
const MAX_SUMMARY = 300;
const MAX_REASON = 2_000;
const MAX_EXCERPT = 20_000;

/** How the service begins a message with the status, which the title already gives. */
const SAYS_ENDED = /^(the )?(job|run|job run) (has )?(failed|was cancelled|timed out)(:\s*|\.?$)/i;

/** The output for a run that has ended, or the error of one that did not complete. */
export async function ended(
	call: Call,
	run: Run,
	options: WaitOptions,
): Promise<INodeExecutionData[]> {
	const { client } = call;
	const { costLimit, logLines } = options;
	const cost = {
		...costLimit?.facts(),
		...(options.includeCost ? (await costFields(client, [run])).get(run) : undefined),
	};
	if (outcomeOf(run) === 'COMPLETED') return [withFacts(runItem(call, run), cost)];
	const reading = { lines: logLines, quietMs: QUIET_MS, maxLength: MAX_EXCERPT };
	const explanation = await explainRun(client, run, reading);
	if (options.onFailure === 'return') {
		return [withFacts(runItem(call, run), { ...explanationFields(explanation), ...cost })];
	}
	throw notCompleted(run, explanation, costLimit).withContext({
		...(logLines > 0 ? excerptContext(explanation) : {}),
		facts: cost,
	});
}

/** The excerpt of a log as context of an error: a description is cut at its end, where a log says why. */
export function excerptContext({ isTail, logProblem, excerpt }: RunExplanation): Context {
	if (excerpt) return { after: lines(isTail && 'Last log lines:', excerpt) };
	return logProblem ? {} : { after: 'The log has no lines of the program.' };
}

/** The error of a run that did not complete; the excerpt of its log is only among its facts. */
function notCompleted(
	run: Run,
	explanation: RunExplanation,
	costLimit: WaitOptions['costLimit'],
): Failure {
	const { cause, location, returnCode, logProblem } = explanation;
	const verb = { FAILED: 'failed', CANCELLED: 'was cancelled', TIMED_OUT: 'timed out' };
	const outcome = outcomeOf(run) as keyof typeof verb | undefined;
	const overLimit = costLimit?.passed;
	const isStopped = overLimit && (outcome ?? 'CANCELLED') === 'CANCELLED';
	const reason = isStopped ? 'it cost more than its limit' : cause.replace(SAYS_ENDED, '');
	const short = reason.split('\n', 1)[0].slice(0, MAX_SUMMARY);
	const message = messageOf(run).replace(SAYS_ENDED, '');
	return new Failure({
		message: `Job run "${run.name}" ${verb[outcome ?? 'CANCELLED']}${short ? `: ${short}` : ''}`,
		description: lines(
			`Run ID: ${run.id}`,
			overLimit && costLimit.explain(overLimit),
			location && `Location: ${location}`,
			returnCode !== undefined && `Return code: ${returnCode}`,
			!short.includes(message) && message.slice(0, MAX_REASON),
			logProblem && `The log could not be read: ${logProblem}`,
		),
		facts: {
			runId: run.id,
			runName: run.name,
			status: run.status,
			outcome,
			...explanationFacts(explanation),
			...sparkUiOf(run),
		},
	});
}
