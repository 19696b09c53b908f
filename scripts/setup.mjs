/**
 * Makes the dependencies of this repository match its package-lock.json. The commands that need
 * them start with it, so that a fresh clone works without a step of its own. Plain JavaScript
 * without dependencies, for that reason.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const OLDEST_NODE = [20, 19];
const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

function read(...names) {
	const file = path.join(root, ...names);
	return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

/**
 * Whether everything in the lock file is installed in exactly that version. Optional packages, for
 * other platforms, may be missing. npm writes its own list of what is installed last, so an
 * installation that was cut short does not pass.
 */
function isInstalled(lock) {
	const installed = read('node_modules', '.package-lock.json')?.packages;
	if (!installed) return false;
	return Object.entries(lock.packages).every(([place, wanted]) => {
		if (place === '' || wanted.link) return true;
		const found = installed[place];
		return found ? found.version === wanted.version : Boolean(wanted.optional || wanted.peer);
	});
}

/** Whether the lock file was made for this package.json. */
function isCurrent(lock, manifest) {
	return ['dependencies', 'devDependencies'].every((kind) => {
		const [locked, wanted] = [lock.packages[''][kind] ?? {}, manifest[kind] ?? {}];
		const names = new Set([...Object.keys(locked), ...Object.keys(wanted)]);
		return [...names].every((name) => locked[name] === wanted[name]);
	});
}

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1])) {
	console.error(`Node ${OLDEST_NODE.join('.')} or newer is needed; this is ${process.version}.`);
	process.exit(1);
}

const lock = read('package-lock.json');
const current = isCurrent(lock, read('package.json'));
if (!current || !isInstalled(lock)) {
	console.error('Installing the dependencies of this repository (once, a minute or two) …');
	// Not `npm ci`: it refuses a lock without the optional packages of every platform. With
	// --no-save the lock of the checkout stays as it is on such a platform.
	const flags = ['--no-audit', '--no-fund', '--loglevel=error', ...(current ? ['--no-save'] : [])];
	const result = spawnSync('npm', ['install', ...flags], {
		cwd: root,
		stdio: ['ignore', 'inherit', 'inherit'],
		shell: process.platform === 'win32',
	});
	if (result.status !== 0) {
		console.error('The dependencies could not be installed; npm says why above.');
		process.exit(result.status ?? 1);
	}
}
