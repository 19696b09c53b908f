/** Python with the vendor's clients, in the cache folder. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { env } from 'node:process';

import { buildOnce } from '../../scripts/lib/buildOnce';
import { cacheRoot } from '../../scripts/lib/paths';
import { run } from '../../scripts/lib/run';

/** Packages that can be installed together: `requirements/<name>.in`, and pinned `<name>.txt`. */
export type Environment = 'airflow' | 'clients' | 'dbt';

/** `newest` installs the clients as they are today, instead of the pinned ones. */
const NEWEST = env.N8N_NODES_WHEROBOTS_VENDOR === 'newest';

const REQUIREMENTS = path.join(__dirname, 'requirements');

/** The oldest and the newest Python for which the clients are published. */
const OLDEST: [number, number] = [3, 10];
const NEWEST_OF: Partial<Record<Environment, [number, number]>> = { airflow: [3, 12] };

/** `describe`, or `describe.skip` where this machine has no Python for the clients; it says what is missing. */
export function describeWith(environment: Environment): jest.Describe {
	const missing = whatIsMissing(environment);
	if (!missing) return describe;
	process.stdout.write(`Skipped: ${missing}\n`);
	return describe.skip;
}

/** What this machine lacks for an environment; undefined when it can be installed. */
export function whatIsMissing(environment: Environment): string | undefined {
	const script = 'import ensurepip, json, sys, venv; print(json.dumps(sys.version_info[:2]))';
	const { status, stdout } = spawnSync('python3', ['-c', script], { encoding: 'utf8' });
	const wanted = `the vendor's clients (${environment}) need Python ${OLDEST.join('.')} or newer as python3, with venv`;
	if (status !== 0) return `${wanted}: on Debian, apt-get install python3-venv`;
	const version = JSON.parse(stdout) as [number, number];
	const newest = NEWEST_OF[environment];
	if (isOlder(version, OLDEST)) return `${wanted}; this is ${version.join('.')}`;
	if (!newest || !isOlder(newest, version)) return undefined;
	return `the vendor's clients (${environment}) need Python ${newest.join('.')} or older; this is ${version.join('.')}`;
}

const isOlder = ([major, minor]: [number, number], than: [number, number]) =>
	major < than[0] || (major === than[0] && minor < than[1]);

/**
 * The Python of an environment, which is installed first where it is missing: half a minute.
 *
 * @returns the path of its interpreter
 * @throws when the installation fails; the last lines of the installer are in the message
 */
export async function ensurePython(name: Environment): Promise<string> {
	const file = path.join(REQUIREMENTS, `${name}.${NEWEST ? 'in' : 'txt'}`);
	const day = NEWEST ? new Date().toISOString().slice(0, 10) : '';
	return await installed(name, file, day, async (python) => {
		const uv = ['-m', 'uv', 'pip'];
		const [tools, options] = [await ensureTools(), { cwd: REQUIREMENTS }];
		const install = ['install', '--quiet', '--python', python, '--requirement', file];
		await run(tools, [...uv, ...install], options);
		const list = await run(tools, [...uv, 'freeze', '--python', python], options);
		process.stdout.write(`Installed ${list.match(/^.*wherobots.*$/gm)?.join(', ')}\n`);
	});
}

/** A Python with what installs the others, and makes certificates. */
export async function ensureTools(): Promise<string> {
	const file = path.join(REQUIREMENTS, 'tools.txt');
	return await installed('tools', file, '', async (python) => {
		const install = ['-m', 'pip', 'install', '--quiet', '--requirement', file];
		await run(python, install, { cwd: REQUIREMENTS });
	});
}

async function installed(
	name: string,
	requirements: string,
	key: string,
	install: (python: string) => Promise<void>,
): Promise<string> {
	// An environment belongs to the Python that made it.
	const made = await run('python3', ['--version'], { cwd: REQUIREMENTS });
	const hash = createHash('sha256').update(await readFile(requirements));
	hash.update(made + key);
	const target = path.join(cacheRoot(), `python-${name}-${hash.digest('hex').slice(0, 16)}`);
	const interpreterOf = (folder: string) => path.join(folder, 'bin', 'python');
	if (!existsSync(target)) process.stdout.write(`Installing Python packages into ${target}\n`);
	await buildOnce(target, async (folder) => {
		await run('python3', ['-m', 'venv', folder], { cwd: folder });
		await install(interpreterOf(folder));
		return folder;
	});
	return interpreterOf(target);
}
