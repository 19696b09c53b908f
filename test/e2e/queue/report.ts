import { env } from 'node:process';

import { reportIn, type Row } from '../suite/report';

export { type Row } from '../suite/report';

/** Whether the short form is wanted, which checks everything and measures nothing. */
export const SHORT = env.N8N_NODES_WHEROBOTS_QUEUE_SHORT === 'true';

/** Puts a table into its part of bench/queue-mode.md. */
export const report = async (part: string, head: string[], rows: Row[]) =>
	await reportIn('queue-mode.md', part, [head, ...rows], SHORT);
