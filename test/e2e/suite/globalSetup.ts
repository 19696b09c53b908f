import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';

import { packedPackage } from '../../../scripts/lib/packedPackage';
import { step } from '../../../scripts/lib/progress';
import { N8nServer } from '../n8n/server';
import { foreignN8n } from './foreignN8n';
import { share } from './sharedN8n';
import { ARTIFACTS, suiteInstall } from './ownN8n';

/** Starts the n8n that all files of the suite use, with the package as a user would get it. */
export default async function globalSetup(): Promise<void> {
	await rm(ARTIFACTS, { recursive: true, force: true });
	await mkdir(ARTIFACTS, { recursive: true });
	const logFile = path.join(ARTIFACTS, 'n8n.log');
	const foreign = await foreignN8n(logFile);
	if (foreign) return share(foreign);
	const install = await suiteInstall();
	const { tarball } = await packedPackage();
	const title = `Starting n8n ${install.version} with the packed package`;
	share(await step(title, async () => await N8nServer.start({ install, tarball, logFile })));
}
