import { existsSync, readdirSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';

import { execa, type Options } from 'execa';

import { until } from '../../support/until';

/** Folders of server programs that a person's PATH often lacks. */
const FOLDERS = ['/usr/sbin', '/usr/local/sbin', '/usr/bin', '/usr/local/bin', '/bin'];

/**
 * The full path of a server's program.
 *
 * @param debianPackage what to install when it is missing
 */
export function findCommand(name: string, debianPackage: string): string {
	const folders = [...FOLDERS, ...postgresFolders(), ...(process.env.PATH ?? '').split(':')];
	const found = folders.map((folder) => path.join(folder, name)).find((file) => existsSync(file));
	if (found) return found;
	throw new Error(`${name} is missing: on Debian \`apt-get install ${debianPackage}\``);
}

/** Debian keeps one folder a version. */
function postgresFolders(): string[] {
	const parent = '/usr/lib/postgresql';
	if (!existsSync(parent)) return [];
	return readdirSync(parent).map((version) => path.join(parent, version, 'bin'));
}

/**
 * Starts a server and waits until it accepts connections at a loopback port.
 *
 * @returns what ends it
 * @throws Error with its output when it ends instead
 */
export async function startProgram(
	[file, ...args]: string[],
	port: number,
	options: Options = {},
): Promise<(signal?: NodeJS.Signals) => Promise<void>> {
	const program = execa(file, args, { stdin: 'ignore', ...options, all: true });
	const ended = program.then(
		() => new Error(`${file} has ended`),
		(error: Error) => error,
	);
	const accepting = until(async () => await accepts(port), PATIENT);
	const gone = await Promise.race([ended, accepting]);
	if (gone) throw gone;
	return async (signal = 'SIGTERM') => {
		program.kill(signal);
		await ended;
	};
}

/** On a busy machine, a server takes longer to start than one would think. */
const PATIENT = { timeoutMs: 120_000, everyMs: 50 };

async function accepts(port: number): Promise<boolean> {
	return await new Promise((resolve) => {
		const socket = net.connect(port, '127.0.0.1');
		socket.once('connect', () => {
			socket.destroy();
			resolve(true);
		});
		socket.once('error', () => resolve(false));
	});
}
