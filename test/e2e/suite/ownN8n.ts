import path from 'node:path';

import { packPackage } from '../n8n/pack';
import { N8nServer } from '../n8n/server';
import { ARTIFACTS } from './artifacts';
import { secretsIn, type Kept } from './stored/secrets';
import { suiteInstall } from './suiteInstall';

/**
 * An n8n for one test file alone: one that is killed, say, or that has settings of its own. The
 * caller disposes of it, which fails when it has kept a secret.
 *
 * @param name of its log among the artifacts
 * @param env settings on top of the usual ones
 */
export async function startOwnN8n(
	name: string,
	env: Record<string, string> = {},
): Promise<N8nServer> {
	const [install, tarball] = [await suiteInstall(), await packPackage()];
	const logFile = path.join(ARTIFACTS, `${name}.log`);
	return await N8nServer.start({ install, tarball, env, logFile, beforeRemoval: expectNoSecrets });
}

async function expectNoSecrets(kept: Kept): Promise<void> {
	const found = await secretsIn(kept);
	if (found.length > 0) throw new Error(`n8n keeps secrets:\n${found.join('\n')}`);
}
