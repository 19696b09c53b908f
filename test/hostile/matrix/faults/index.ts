/** The columns of the matrix: what the service, or whatever stands before it, may do to a request. */
import { bodies } from './bodies';
import { clocks } from './clocks';
import { connections } from './connections';
import { content } from './content';
import { forms } from './forms';
import { paging } from './paging';
import { statuses } from './statuses';
import type { MatrixFault } from './types';

export type { MatrixFault } from './types';
export { ROUNDED } from './words';

export const matrixFaults: MatrixFault[] = [
	...statuses,
	...connections,
	...bodies,
	...content,
	...paging,
	...clocks,
	...forms,
];
