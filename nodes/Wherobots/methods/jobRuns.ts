import type { IDataObject } from 'n8n-workflow';

import { CONSOLE_PAGES, consolePage } from '../service/baseUrl';
import type { EndpointId } from '../service/endpoints';
import { runNamePattern } from '../service/rules';
import { taskNamePattern, type TaskRun } from '../service/taskRuns';
import type { Run } from '../service/types';
import { text } from '../transport/failures/plainText';
import { readPage } from '../transport/pagination';
import {
	choicesOf,
	matching,
	pickerClient,
	shortTime,
	type ListSearch,
	type Offer,
} from './choices';

interface RunPicker<T extends IDataObject> {
	endpoint: EndpointId;
	/** The filter by name in the query, and the rule for it. */
	filterName: string;
	rule(pattern: string): string | undefined;
	offer(run: T): Offer;
	page?: string;
}

/** A picker of runs by the beginning of a name, a page at a time. */
function runPicker<T extends IDataObject>({
	endpoint,
	filterName,
	rule,
	offer,
	page,
}: RunPicker<T>): ListSearch {
	return async function (filter, paginationToken) {
		const name = nameFilter(filter, rule);
		if (name === null) return { results: [] };
		const client = await pickerClient(this);
		const { items, next } = await readPage<T>(client, endpoint, {
			query: { [filterName]: name },
			cursor: paginationToken,
		});
		const url = page && consolePage(client.baseUrl, page);
		return { ...matching(choicesOf(items.map(offer)), '', url), paginationToken: next };
	};
}

/**
 * Typed text as the service's name filter, which allows one asterisk: a prefix of the name, unless it
 * contains the asterisk. Null when no name can match.
 */
function nameFilter(typed = '', rule: RunPicker<IDataObject>['rule']): string | null | undefined {
	const text = typed.trim();
	if (text === '') return undefined;
	const pattern = text.includes('*') ? text : `${text}*`;
	return rule(pattern) === undefined ? pattern : null;
}

/** Job runs by the beginning of their name. */
export const searchJobRuns = runPicker<Run>({
	endpoint: 'listRuns',
	filterName: 'name',
	rule: runNamePattern,
	offer: ({ id, name, status, createTime }) => ({
		id,
		name,
		detail: [text(status), shortTime(createTime)].filter(Boolean).join(', '),
	}),
	page: CONSOLE_PAGES.jobRuns,
});

/** Task runs by the beginning of their task's name. */
export const searchTaskRuns = runPicker<TaskRun>({
	endpoint: 'listTaskRuns',
	filterName: 'taskName',
	rule: taskNamePattern,
	offer: ({ taskRunId, name, taskName, state, submittedAt }) => ({
		id: taskRunId,
		name: text(name) || text(taskName),
		detail: [text(state), shortTime(submittedAt)].filter(Boolean).join(', '),
	}),
});
