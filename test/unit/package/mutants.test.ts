import path from 'node:path';

import ts from 'typescript';

import { REPOSITORY } from '../../../scripts/lib/paths';
import { DECLARATIONS, PARTS } from '../../mutants/parts';

const SOURCES = path.join(REPOSITORY, 'nodes/Wherobots');

/** The sources that patterns name, those with an exclamation mark left out. */
function filesOf(patterns: string[]): string[] {
	const left = patterns.filter((pattern) => pattern.startsWith('!')).map((it) => it.slice(1));
	const named = patterns.filter((pattern) => !pattern.startsWith('!'));
	return ts.sys
		.readDirectory(SOURCES, ['.ts'], left, named)
		.map((file) => path.relative(SOURCES, file));
}

it('every source belongs to exactly one part, unless it only declares what the editor shows', () => {
	const named = [DECLARATIONS, ...Object.values(PARTS).map(({ sources }) => sources)];
	const all = filesOf(['**/*', '../../credentials/*']);
	expect(named.flatMap(filesOf).sort()).toEqual(all.sort());
});
