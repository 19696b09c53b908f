/** The pages for assistants name only what is there. */
import { existsSync } from 'node:fs';
import path from 'node:path';

import { resources } from '../../../nodes/Wherobots/actions';
import { events } from '../../../nodes/Wherobots/trigger/poll';
import { REPOSITORY } from '../../../scripts/lib/paths';
import { read } from '../../support/repository';

const guide = read('docs/llms.txt');

const operations = resources.flatMap((resource) =>
	resource.operations.map(({ name }) => `${resource.name}: ${name}`),
);

test('operations are called as they are in the form', () => {
	const names = resources.map(({ name }) => name).join('|');
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

test('hints are plain text and short', () => {
	const hints = resources.flatMap((resource) =>
		resource.operations.flatMap(({ hint }) => hint ?? []),
	);
	expect(hints.length).toBeGreaterThanOrEqual(14);
	for (const hint of hints) {
		expect(hint).not.toContain('{{');
		expect(hint.length).toBeLessThan(600);
	}
});
