import type { INodeListSearchResult } from 'n8n-workflow';

/**
 * Longest time that a picker takes, in milliseconds: somebody is watching it. A list that cannot
 * be loaded by then says why.
 */
export const PICKER_PATIENCE_MS = 20_000;

/** One entry of a picker. */
export interface Choice {
	name: string;
	value: string;
	description?: string;
}

/** The entries whose name or value contains what was typed. */
export function matching(choices: Choice[], filter = ''): INodeListSearchResult {
	const text = filter.trim().toLowerCase();
	return {
		results: choices.filter((choice) =>
			`${choice.name} ${choice.value}`.toLowerCase().includes(text),
		),
	};
}

/** In the order in which people look for them. */
export function byName(choices: Choice[]): Choice[] {
	return [...choices].sort((a, b) => a.name.localeCompare(b.name));
}
