/** Source: the vendor's pages on tasks and task runs; docs/tasks.md lists what they do not say. */
import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../records';
import { findFirstOther } from '../rules';

/** A line of a log. `timestamp` is ISO 8601 with nanoseconds. */
export interface TaskLogLine extends IDataObject {
	timestamp?: string;
	level?: string;
	message?: string;
}

/** The name of a task, or the beginning of one before an asterisk (vendor's page "List task runs"). */
export function checkTaskNamePattern(value: string): string | undefined {
	if (value.length > 255) return `must be at most 255 characters long, not ${value.length}`;
	if (/^[A-Za-z0-9_.-]+\*?$/.test(value)) return undefined;
	const other = findFirstOther(value, /[A-Za-z0-9_.*-]/);
	return `may contain only letters, digits, underscores, hyphens, periods and one asterisk at the end${other ? `, not ${other}` : ''}`;
}

/** The two paths that the vendor's pages suggest. */
const RUN_PATH = /^\/tasks\/\{\w+\}\/runs?$/;

/**
 * The path to run a task at, with `{taskName}` or `{taskId}`, from a deployment's OpenAPI description;
 * undefined if it has none. One that is deprecated is only used where there is no other.
 */
export function findRunPath({ paths }: IDataObject): string | undefined {
	const found = Object.entries(paths ?? {}).flatMap(([path, methods]) =>
		RUN_PATH.test(path) && isRecord(methods) && isRecord(methods.post)
			? [{ path, isDeprecated: methods.post.deprecated === true }]
			: [],
	);
	const { path } = found.find(({ isDeprecated }) => !isDeprecated) ?? found[0] ?? {};
	return path?.replace(/\{(\w+)\}/, (_, name) =>
		/^(task_?)?id$/i.test(name as string) ? '{taskId}' : '{taskName}',
	);
}
