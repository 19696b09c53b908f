/** Runs in the service's form: interface.md "Run" and "kubeApp". */
import { recordTime } from '../time';
import type { Variants } from '../variants';
import { appIdOf } from './runUsage';
import {
	isTerminal,
	statusAt,
	timeOf,
	transitionAt,
	type RunPayload,
	type RunRecord,
} from './runTypes';

const FILE_TYPES: Record<string, string> = { jar: 'JAR', whl: 'PYTHON_WHEEL', zip: 'ZIP' };

type Dependency = NonNullable<RunPayload['environment']['dependencies']>[number];

function dependencyView(dependency: Dependency): Record<string, unknown> {
	if (dependency.sourceType !== 'FILE') return dependency;
	const extension = dependency.filePath.split('.').pop()?.toLowerCase() ?? '';
	return { ...dependency, fileType: FILE_TYPES[extension] ?? 'OTHER' };
}

function payloadView(payload: RunPayload, omitJar: boolean): Record<string, unknown> {
	const { runJar, environment, ...rest } = payload;
	const dependencies = (environment.dependencies ?? []).map(dependencyView);
	return {
		...rest,
		runPython: payload.runPython ?? null,
		...(!omitJar && { runJar: runJar ?? null }),
		environment: { sparkConfigs: {}, ...environment, dependencies },
	};
}

/** `RUN_FAIL_EXEC` and `APP_START_CREATION` are the codes that are publicly known. */
function eventViews(run: RunRecord, now: number): Array<Record<string, unknown>> {
	const views: Array<Record<string, unknown>> = [];
	const add = (at: number, code: string, message: string, eventMeta: object | null) => {
		const id = `${run.id}-event-${views.length + 1}`;
		const time = recordTime(at);
		views.push({ id, createTime: time, updateTime: time, code, message, eventMeta });
	};
	const started = timeOf(run, now, (status) => status === 'RUNNING');
	const ended = timeOf(run, now, isTerminal);
	add(run.createTime, 'APP_START_CREATION', 'Creating the compute resources', {
		start_timestamp: run.createTime,
		...(started !== undefined && { end_timestamp: started }),
	});
	if (started !== undefined) {
		add(started, 'RUN_EXEC', 'Executing the job', {
			start_timestamp: started,
			...(ended !== undefined && { end_timestamp: ended }),
		});
	}
	if (ended !== undefined && statusAt(run, now) === 'FAILED') {
		const timedOut = run.plan.outcome === 'FAILED_TIMEOUT';
		const seconds = run.payload.timeoutSeconds;
		const why = timedOut ? `Run stopped by timeout after ${seconds} seconds` : messageAt(run, now);
		add(ended, 'RUN_FAIL_EXEC', why ?? 'Execution failed', null);
	}
	return views;
}

function messageAt(run: RunRecord, now: number): string | null {
	const status = statusAt(run, now);
	if (!isTerminal(status)) return status === 'PENDING' ? 'Waiting for compute resources' : null;
	if (run.plan.message !== undefined) return run.plan.message;
	switch (status) {
		case 'FAILED':
			return run.plan.outcome === 'FAILED_TIMEOUT'
				? 'Job execution timeout'
				: 'Job failed: the driver exited with code 1';
		case 'TIMED_OUT':
			return `Run exceeded its timeout of ${run.payload.timeoutSeconds} seconds`;
		case 'CANCELLED':
			return 'Run was cancelled';
		default:
			return null;
	}
}

const APP_STATUS: Record<string, string> = { PENDING: 'PENDING', RUNNING: 'READY' };

function kubeAppView(run: RunRecord, now: number): Record<string, unknown> {
	const { status, at } = transitionAt(run, now);
	const id = appIdOf(run);
	const started = timeOf(run, now, (step) => step === 'RUNNING') !== undefined;
	return {
		id,
		createTime: recordTime(run.createTime),
		updateTime: recordTime(at),
		instanceId: `run-${run.id}`,
		appType: 'RUN',
		status: APP_STATUS[status] ?? 'DESTROYED',
		createdById: run.triggeredBy.id,
		apiPayload: { runtime: run.payload.runtime ?? null, name: run.payload.name },
		appMeta: started
			? {
					spark_ui_url: `https://spark.example.com/ui/${id}`,
					spark_eventlogs_url: `s3://sandbox-managed/spark-events/${id}`,
					resolved_version: run.payload.version === 'preview' ? '2.1.0-rc1' : '2.0.3',
				}
			: { spark_ui_url: '', spark_eventlogs_url: '', resolved_version: null },
		events: eventViews(run, now),
		cpuUsage: 4,
		regionName: run.region,
		message: messageAt(run, now),
	};
}

function runView(
	run: RunRecord,
	now: number,
	variants: Variants,
	form: 'detail' | 'item',
): Record<string, unknown> {
	const isoOrNull = (time: number | undefined) => (time === undefined ? null : recordTime(time));
	return {
		id: run.id,
		createTime: recordTime(run.createTime),
		updateTime: recordTime(transitionAt(run, now).at),
		name: run.payload.name,
		status: statusAt(run, now),
		triggeredBy: run.triggeredBy,
		startTime: isoOrNull(timeOf(run, now, (status) => status === 'RUNNING')),
		completeTime: isoOrNull(timeOf(run, now, isTerminal)),
		...(variants.kubeApp !== 'absent' && {
			kubeApp: variants.kubeApp === 'null' ? null : kubeAppView(run, now),
		}),
		payload: payloadView(run.payload, form === 'item'),
	};
}

/**
 * The JSON of a run. Runs that have ended never change again, so their JSON is kept: a page of a
 * hundred runs then costs no more than joining a hundred strings.
 */
export function serialiseRun(
	run: RunRecord,
	now: number,
	variants: Variants,
	form: 'detail' | 'item',
): string {
	const variant = variants.kubeApp;
	const kept = run.serialised;
	const valid = kept?.variant === variant && kept.from <= now;
	if (valid && kept[form] !== undefined) return kept[form];
	const text = JSON.stringify(runView(run, now, variants, form));
	const last = run.transitions[run.transitions.length - 1];
	if (isTerminal(last.status) && last.at <= now) {
		run.serialised = { ...(valid && kept), variant, from: last.at, [form]: text };
	}
	return text;
}
