/** Job runs as the sandbox keeps them; they are turned into the service's form when they are read. */
import type { z } from 'zod/v4';

import type { createRunBody } from '../endpoints/runSchemas';
import type { Customer } from './people';

export function isTerminal(status: string): boolean {
	return status !== 'PENDING' && status !== 'RUNNING';
}

/** The create-run payload: interface.md "Run payload". */
export type RunPayload = z.infer<typeof createRunBody>;

/** The course of a run, unless someone cancels or moves it. Durations are in sandbox milliseconds. */
export interface RunPlan {
	pendingMs: number;
	runningMs: number;
	/** `FAILED_TIMEOUT` is `FAILED` with a `RUN_FAIL_EXEC` event that says timeout. */
	outcome: 'COMPLETED' | 'FAILED' | 'TIMED_OUT' | 'FAILED_TIMEOUT';
	/** `kubeApp.message` of a run that has ended. */
	message?: string;
	/** The lines themselves, or how many to make; if absent, a short log that fits the outcome. */
	logs?: string[] | number;
	/** From the writing of a line to the moment it can be read, so that the last lines arrive late. */
	logDelayMs: number;
}

/** A status and when it begins (sandbox time). May lie in the future. */
export interface Transition {
	status: string;
	at: number;
}

export interface LogLine {
	raw: string;
	/** When it was written (sandbox milliseconds). */
	at: number;
	/** When it can be read. */
	visibleAt: number;
}

export interface RunRecord {
	id: string;
	region: string;
	createTime: number;
	/** Position in order of creation; breaks ties of `createTime`. */
	sequence: number;
	triggeredBy: Customer;
	payload: RunPayload;
	plan: RunPlan;
	/** In ascending order; the first is PENDING at `createTime` unless the run was created differently. */
	transitions: Transition[];
	cancelRequestedAt?: number;
	/** Beside those of its plan. */
	addedLines: LogLine[];
	/** Serialised forms, kept by {@link serialiseRun} once nothing can change any more. */
	serialised?: { variant: string; from: number; detail?: string; item?: string };
}

/** The transition in force at a time; the first one before it begins. */
export function transitionAt(run: Pick<RunRecord, 'transitions'>, now: number): Transition {
	const { transitions } = run;
	// From the end, because for most runs the last transition is in force.
	let index = transitions.length - 1;
	while (index > 0 && transitions[index].at > now) index -= 1;
	return transitions[index];
}

export function statusAt(run: RunRecord, now: number): string {
	return transitionAt(run, now).status;
}

/** When the run was first in a status that `test` accepts, if that is not in the future. */
export function timeOf(
	run: RunRecord,
	now: number,
	test: (status: string) => boolean,
): number | undefined {
	return run.transitions.find(({ status, at }) => at <= now && test(status))?.at;
}
