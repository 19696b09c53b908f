/** Looks for secrets in all that an n8n keeps: its database, its files and its log. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { execa } from 'execa';

import { credentials } from '../../../sandbox/server/auth';
import { OWNER } from '../../n8n/home';
import { ensureN8n } from '../../n8n/install';

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
 * @returns a line for each place with a secret in it
 * @throws Error when the search itself does not work
 */
export async function secretsIn({ userFolder, logFile }: Kept): Promise<string[]> {
	const folder = path.join(userFolder, '.n8n');
	const inDatabase = await searchDatabase(path.join(folder, 'database.sqlite'));
	if (!inDatabase.some((line) => line.includes(CONTROL))) {
		throw new Error(`The search does not find ${CONTROL} in the database of n8n`);
	}
	const log = await readFile(logFile, 'utf8');
	return [
		...inDatabase.filter((line) => !line.includes(CONTROL)),
		...SECRETS.filter((secret) => log.includes(secret)).map((secret) => `the log: ${secret}`),
		...(await searchFiles(folder)),
	];
}

async function searchDatabase(file: string): Promise<string[]> {
	// SQLite is part of the Node of the newest n8n, whichever n8n it is that is looked at.
	const { node } = await ensureN8n();
	const script = path.join(__dirname, 'searchDatabase.mjs');
	const input = JSON.stringify([...SECRETS, CONTROL]);
	const { stdout } = await execa(node.bin, ['--no-warnings', script, file], { input });
	return [...new Set(stdout.split('\n').filter(Boolean))];
}

/** All other files, such as binary data. Grep's status is 1 where there are none. */
async function searchFiles(folder: string): Promise<string[]> {
	const flags = ['-r', '-F', '-l', '--exclude=database.sqlite*', '--exclude-dir=nodes', '-f', '-'];
	const { stdout, exitCode, stderr } = await execa('grep', [...flags, folder], {
		input: SECRETS.join('\n'),
		reject: false,
	});
	// Files may go while they are listed; that is no reason to stop.
	if (exitCode !== 0 && exitCode !== 1 && !/No such file/.test(stderr)) throw new Error(stderr);
	return stdout.split('\n').filter(Boolean);
}
