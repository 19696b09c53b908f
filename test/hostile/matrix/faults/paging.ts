/** Lists whose pages lead nowhere. */
import type { MatrixFault } from './types';

export const paging: MatrixFault[] = [
	{
		group: 'Pages',
		name: 'a repeated cursor',
		fault: () => ({ kind: 'cursor', how: 'repeat' }),
		expect: 'either',
		cause: /could not be read to the end/,
		pagesOnly: true,
	},
	{
		group: 'Pages',
		name: 'endless empty pages with a next page',
		fault: () => ({ kind: 'cursor', how: 'emptyWithNext' }),
		expect: 'either',
		cause: /could not be read to the end/,
		pagesOnly: true,
	},
	{
		group: 'Pages',
		name: 'endless pages',
		fault: () => ({ kind: 'cursor', how: 'endless' }),
		expect: 'either',
		cause: /could not be read to the end/,
		pagesOnly: true,
	},
	{
		group: 'Pages',
		name: 'three empty pages, then the others',
		fault: () => ({ kind: 'cursor', how: 'emptyWithNext' }),
		times: 3,
		expect: 'result',
		cause: /could not be read to the end/,
		pagesOnly: true,
	},
];
