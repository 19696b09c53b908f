import path from 'node:path';

import { cacheRoot } from '../../../scripts/lib/paths';
import { ensureN8n, type N8nInstall } from '../n8n/install';
import { packedPackage } from '../../../scripts/lib/packedPackage';
import { N8nServer } from '../n8n/server';
import { secretsIn, type Kept } from './secrets';

const {
	/** The folder of the n8n that the suite runs on, such as `n8n-1`. */
	N8N_NODES_WHEROBOTS_E2E_N8N: given,
	N8N_NODES_WHEROBOTS_SUITE: suite = 'e2e',
} = process.env;

/** What a run of a suite leaves behind to be looked at: n8n's log and screenshots. */
export const ARTIFACTS = path.join(cacheRoot(), 'artifacts', suite);

/** Whether this run of the suite is on the newest n8n. */
export const isNewestN8n = given === undefined;

/** The n8n of this run of the suite. */
export async function suiteInstall(): Promise<N8nInstall> {
	return await ensureN8n(path.join(__dirname, '..', given ?? 'n8n-2'));
}

/**
 * An n8n for one test file alone: one that is killed, say, or that has settings of its own. To stop it
 * fails when it has kept a secret.
 *
 * @param name of its log among the artifacts
 * @param env settings on top of the usual ones
 */
export async function startOwnN8n(
	name: string,
	env: Record<string, string> = {},
): Promise<N8nServer> {
	const [install, { tarball }] = [await suiteInstall(), await packedPackage()];
	const logFile = path.join(ARTIFACTS, `${name}.log`);
	return await N8nServer.start({ install, tarball, env, logFile, beforeRemoval: expectNoSecrets });
}

async function expectNoSecrets(kept: Kept): Promise<void> {
	const found = await secretsIn(kept);
	if (found.length > 0) throw new Error(`n8n keeps secrets:\n${found.join('\n')}`);
}
