import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { markedPart } from '../../../scripts/lib/markedPart';
import { REPOSITORY } from '../../../scripts/lib/paths';
import { guesses } from '../../../scripts/live/guesses';
import { renderGuesses } from '../../../scripts/live/report';

const read = (file: string) => readFileSync(path.join(REPOSITORY, file), 'utf8');

describe('the list of assumptions', () => {
	it('is the one in the documentation (npm run live -- --write-docs writes it)', () => {
		expect(markedPart(read('docs/live-checks.md'), 'assumptions')).toBe(renderGuesses());
	});

	it('is linked by each page that says what is not checked', () => {
		for (const page of ['cost', 'files', 'running-tasks', 'sql', 'tasks']) {
			expect(read(`docs/${page}.md`)).toMatch(
				/ot yet checked against the live service[^]*\(live-checks\.md#/,
			);
		}
	});

	it('has a name for each that is used once and can be part of a link', () => {
		const names = guesses.map(({ name }) => name);
		expect(names.filter((name) => !/^[a-z][a-z0-9]*(-[a-z0-9]+)+$/.test(name))).toEqual([]);
		expect(new Set(names).size).toBe(names.length);
	});

	it.each(guesses)('says where to look: $name', ({ assumed, matters, code }) => {
		expect(existsSync(path.join(REPOSITORY, code))).toBe(true);
		expect(assumed).toMatch(/^[A-Z`][^]*\.$/);
		expect(matters).not.toBe('');
	});
});
