/** The columns of the matrix: what the service, or whatever stands before it, may do to a request. */
import { bodies } from './bodies';
import { clocks, connections, statuses } from './http';
import { content, forms, paging } from './content';
import type { MatrixFault } from './fault';

export { ROUNDED, type MatrixFault } from './fault';

export const matrixFaults: MatrixFault[] = [
	...statuses,
	...connections,
	...bodies,
	...content,
	...paging,
	...clocks,
	...forms,
];
