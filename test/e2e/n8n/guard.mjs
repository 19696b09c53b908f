/**
 * Runs a command for as long as its own standard input stays open, then ends it and everything
 * it started. The parent holds the other end of that pipe, so nothing outlives the parent, not
 * even one that was killed. The guard leads a process group of its own. Plain JavaScript, because
 * the Node.js of n8n 1 runs nothing else.
 *
 * Usage: node guard.mjs COMMAND [ARGUMENT…]
 */
import { spawn } from 'node:child_process';

/** n8n gives running executions some time to end, 5 s unless the setting says more; a stuck one has to go as well. */
const GRACE_MS = 1_000 * (Number(process.env.N8N_GRACEFUL_SHUTDOWN_TIMEOUT ?? 5) + 10);

const [command, ...parameters] = process.argv.slice(2);
const child = spawn(command, parameters, { stdio: ['ignore', 'inherit', 'inherit'] });
let stopping = false;

function stop() {
	if (stopping) return;
	stopping = true;
	child.kill('SIGTERM');
	setTimeout(endGroup, GRACE_MS).unref();
}

/** Ends this guard as well, which is a member of the group. */
function endGroup() {
	process.kill(-process.pid, 'SIGKILL');
}

child.on('error', (error) => {
	process.stderr.write(`${command} could not be started: ${error.message}\n`);
	endGroup();
});
child.on('exit', (code, signal) => {
	process.stderr.write(`${command} ended with ${code ?? signal}\n`);
	endGroup();
});
process.stdin.on('close', stop).resume();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop);
