/** Lists whose pages lead nowhere. */
import { inGroup, type MatrixFault } from './types';

const cause = /could not be read to the end/;
const pages = inGroup('Pages', { expect: 'either', cause, pagesOnly: true });

export const paging: MatrixFault[] = [
	pages('a repeated cursor', { kind: 'cursor', how: 'repeat' }),
	pages('endless empty pages with a next page', { kind: 'cursor', how: 'emptyWithNext' }),
	pages('endless pages', { kind: 'cursor', how: 'endless' }),
	pages(
		'three empty pages, then the others',
		{ kind: 'cursor', how: 'emptyWithNext' },
		{ times: 3, expect: 'result' },
	),
];
