/** The pages for assistants name only what is there. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { resources } from '../../../nodes/Wherobots/actions';
import { operationHints } from '../../../nodes/Wherobots/builderHints';
import { events } from '../../../nodes/Wherobots/trigger/poll';
import { REPOSITORY } from '../../../scripts/lib/paths';

const read = (file: string) => readFileSync(path.join(REPOSITORY, file), 'utf8');
const guide = read('docs/llms.txt');

const operations = resources.flatMap(({ option, operations: list }) =>
	list.map((operation) => `${option.name}: ${operation.option.name}`),
);

test('operations are called as they are in the form', () => {
	const names = resources.map(({ option }) => option.name).join('|');
	const named = [...guide.matchAll(new RegExp(`(?:${names}): (?=[A-Z])`, 'g'))];
	const unknown = named
		.map(({ index }) => guide.slice(index, index + 60))
		.filter((text) => !operations.some((operation) => text.startsWith(operation)));
	expect(named.length).toBeGreaterThanOrEqual(20);
	expect(unknown).toEqual([]);
});

test('every event of the trigger is named', () => {
	const missing = Object.values(events).filter(({ name }) => !guide.includes(name));
	expect(missing.map(({ name }) => name)).toEqual([]);
});

test('pages that are linked exist', () => {
	const pages = [...guide.matchAll(/blob\/main\/([\w/.-]+)/g)].map(([, page]) => page);
	expect(pages.filter((page) => !existsSync(path.join(REPOSITORY, page)))).toEqual([]);
});

test('hints are plain text, short, and for operations that exist', () => {
	const keys = resources.flatMap(({ option, operations: list }) =>
		list.map((operation) => `${String(option.value)} ${String(operation.option.value)}`),
	);
	expect(Object.keys(operationHints).filter((key) => !keys.includes(key))).toEqual([]);
	for (const hint of Object.values(operationHints)) {
		expect(hint).not.toContain('{{');
		expect(hint.length).toBeLessThan(600);
	}
});
