import type { IDataObject } from 'n8n-workflow';

/** A record that was created, or a candidate for one whose response was lost. */
export type RecordFacts = IDataObject & { id: string };

/** A record that may have been created. */
export type UncertainFacts = IDataObject & { name: string };

/**
 * Facts about a failure, for workflows that act on it. They are set where the failure occurs, never
 * parsed from a text. docs/errors.md explains them to users.
 *
 * A failure also has the values of its request's path: `runId`, `catalogId`, `tableName` …
 */
export interface ErrorFacts extends IDataObject {
	runId?: string;
	runName?: string;
	/** The status of the run, as the service last sent it. */
	status?: string;
	/** The outcome of the run: its status, or TIMED_OUT when it failed because of a timeout. */
	outcome?: string;
	/** Why the run did not complete, in the service's words. */
	cause?: string;
	/** The URL of the run's Spark UI, once there is one. */
	sparkUiUrl?: string;
	logLines?: string[];
	/** What the run was allowed to cost when it was cancelled for costing more. */
	costLimit?: string;
	/** Why the cost of the run could not be watched. */
	costLimitProblem?: string;
	/** The labels of the fields that the service rejected. */
	fields?: string[];
	/** The program that was uploaded for a run that was not submitted: `s3://…`. */
	uploaded?: string;
	/** The file of an export that failed, and the requested range. */
	fileName?: string;
	start?: string;
	end?: string;
	/** The SQL session and the execution of the statement. */
	sessionId?: string;
	executionId?: string;
	/** What is known of a SQL statement: `notSent`, `failed`, `cancelled`, `succeeded` or `unknown`. */
	state?: string;
	/** Location of a SQL result that cannot be downloaded: `s3://…`. */
	resultUri?: string;
	requestId?: string;
	/** True when it is unclear whether the request was handled. */
	ambiguous?: boolean;
	/** What an ambiguous request may have created, for a person to check. */
	candidates?: RecordFacts[];
	/** What the node had created for other items before this one failed. */
	alsoCreated?: RecordFacts[];
	/** What the node may have created for other items. */
	alsoAmbiguous?: UncertainFacts[];
}

/** The values of a request's path as facts: `run_id` becomes `runId`. */
export function pathFacts(path: Record<string, string> = {}): ErrorFacts {
	const camelCase = (name: string) =>
		name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
	return Object.fromEntries(Object.entries(path).map(([name, value]) => [camelCase(name), value]));
}
