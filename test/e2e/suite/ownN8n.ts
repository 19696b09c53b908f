import path from 'node:path';

import { packPackage } from '../n8n/pack';
import { N8nServer } from '../n8n/server';
import { ARTIFACTS } from './artifacts';
import { suiteInstall } from './suiteInstall';

/**
 * An n8n for one test file alone: one that is killed, say, or that has settings of its own. The
 * caller disposes of it.
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
	return await N8nServer.start({ install, tarball, env, logFile });
}
