import path from 'node:path';

import { cacheRoot } from '../../../scripts/lib/paths';

/** What a run of a suite leaves behind to be looked at: n8n's log and screenshots. */
export const ARTIFACTS = path.join(
	cacheRoot(),
	'artifacts',
	process.env.N8N_NODES_WHEROBOTS_SUITE ?? 'e2e',
);
