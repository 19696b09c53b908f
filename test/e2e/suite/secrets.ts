/** Looks for secrets in all that an n8n keeps: its database, its files and its log. */
import path from 'node:path';

import { execa } from 'execa';

import { credentials } from '../../sandbox/server/auth';
import { OWNER } from '../n8n/home';

/** Where an n8n keeps what it keeps. */
export interface Kept {
	/** Parent of `.n8n`. */
	userFolder: string;
	logFile: string;
}

/** What nothing may hold: whatever authenticates somebody, and the addresses of files. */
const SECRETS = [
	...Object.values(credentials).flatMap(({ apiKey, bearerToken }) => [apiKey, bearerToken]),
	'X-Amz-Signature=',
];

/** n8n's database holds this in the clear, so a search that does not find it finds nothing. */
const CONTROL = OWNER.email;

/**
 * @returns a line for each file and secret in it
 * @throws Error when the search itself does not work
 */
export async function secretsIn({ userFolder, logFile }: Kept): Promise<string[]> {
	const folder = path.join(userFolder, '.n8n');
	const flags = ['-r', '-a', '-o', '-F', '--exclude-dir=nodes', '-f', '-'];
	const { stdout, stderr } = await execa('grep', [...flags, folder, logFile], {
		input: [...SECRETS, CONTROL].join('\n'),
		// Not by letters: a database holds bytes that are none.
		env: { LC_ALL: 'C' },
		// Files may go while they are listed; that is no reason to stop.
		reject: false,
	});
	const found = [...new Set(stdout.split('\n'))].filter(Boolean);
	const isInDatabase = (line: string) => /database\.sqlite/.test(line) && line.endsWith(CONTROL);
	if (!found.some(isInDatabase) || stderr.includes(logFile)) {
		throw new Error(`The search for secrets does not work: ${found.join()} ${stderr}`);
	}
	return found.filter((line) => !line.endsWith(CONTROL));
}
