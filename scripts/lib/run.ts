import { stripVTControlCharacters } from 'node:util';

import { execa, type ExecaError } from 'execa';

const LINES_SHOWN = 60;

/** Where and with what a command runs. */
export interface RunOptions {
	cwd: string;
	/** Variables on top of the current environment. */
	env?: NodeJS.ProcessEnv;
}

/**
 * Runs a command to its end, without standard input.
 *
 * @returns what it wrote to standard output
 * @throws when it fails, with the last lines of what it wrote, in a readable form
 */
export async function run(command: string, args: string[], options: RunOptions): Promise<string> {
	try {
		// CI keeps tools from drawing spinners into the output.
		const env = { CI: 'true', ...options.env };
		const { stdout } = await execa(command, args, {
			cwd: options.cwd,
			env,
			all: true,
			stdin: 'ignore',
		});
		return stdout;
	} catch (error) {
		const { shortMessage, all } = error as ExecaError;
		const lines = stripVTControlCharacters(all ?? '')
			.trimEnd()
			.split('\n');
		throw new Error([shortMessage, ...lines.slice(-LINES_SHOWN)].join('\n'));
	}
}
