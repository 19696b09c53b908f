/** Python, where it is installed. Users do not need it. */
import { spawnSync } from 'node:child_process';

const hasPython = spawnSync('python3', ['-c', 'import ast']).status === 0;

/** `it`, skipped with a message where there is no Python. @param what it is needed for */
export function itWithPython(what: string): jest.It {
	if (!hasPython) process.stdout.write(`Skipped: there is no Python to ${what}\n`);
	return hasPython ? it : it.skip;
}
