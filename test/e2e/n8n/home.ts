import { cp, mkdir } from 'node:fs/promises';
import path from 'node:path';

import { buildOnce } from '../../../scripts/lib/buildOnce';
import { N8nApi } from './api';
import type { Account } from './apiTypes';
import { type N8nInstall } from './install';
import { N8nProcess } from './n8nProcess';
import { step } from '../../../scripts/lib/progress';

/** The owner of every n8n that is started here; it listens on loopback only. */
export const OWNER: Account = { email: 'owner@example.com', password: 'Wherobots-Demo-1' };

/** Part of the template's name: change it when what a template holds changes. */
const TEMPLATE_VERSION = 1;

/**
 * Fills a folder with what an n8n has after its first start: a migrated database and its owner.
 * The first start takes half a minute, copying what it left a moment.
 */
export async function createHome(install: N8nInstall, userFolder: string): Promise<void> {
	const template = `${install.folder}-home-${TEMPLATE_VERSION}`;
	await buildOnce(template, async (scratch) => {
		return await step('Preparing a database for n8n (once)', async () => {
			const home = path.join(scratch, 'home');
			await mkdir(home);
			await firstStart(install, home, path.join(scratch, 'n8n.log'));
			return home;
		});
	});
	await cp(template, userFolder, { recursive: true });
}

async function firstStart(install: N8nInstall, userFolder: string, logFile: string): Promise<void> {
	const n8n = await N8nProcess.start({ install, userFolder, logFile });
	try {
		await N8nApi.setUpOwner(n8n.url, OWNER);
	} finally {
		// In order, so that the database is closed before it is copied.
		await n8n.stop();
	}
}
