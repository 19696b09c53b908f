import path from 'node:path';

import { ensureN8n, type N8nInstall } from '../n8n/install';

/** With `N8N_NODES_WHEROBOTS_E2E_N8N=n8n-1`: the folder of the n8n that the suite runs on. */
const N8N_VARIABLE = 'N8N_NODES_WHEROBOTS_E2E_N8N';

/** Whether this run of the suite is on the newest n8n. */
export const isNewestN8n = process.env[N8N_VARIABLE] === undefined;

/** The n8n of this run of the suite. */
export async function suiteInstall(): Promise<N8nInstall> {
	return await ensureN8n(path.join(__dirname, '..', process.env[N8N_VARIABLE] ?? 'n8n-2'));
}
