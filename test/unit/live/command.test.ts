import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { RealClock, startSandbox, type Sandbox } from '../../sandbox';
import { leftIn } from './sandbox';

const COMMAND = path.join(__dirname, '../../../scripts/live.ts');

const folder = mkdtempSync(path.join(tmpdir(), 'live-check-'));

afterAll(() => rmSync(folder, { recursive: true }));

const report = path.join(folder, 'report.md');

/** Starts the command, which nobody can be asked by. */
function start(flags: string[], env: Record<string, string>) {
	const child = spawn(
		process.execPath,
		['--import', 'tsx', COMMAND, '--report', report, ...flags],
		{
			env: { PATH: process.env.PATH, ...env } as NodeJS.ProcessEnv,
			stdio: ['ignore', 'pipe', 'pipe'],
		},
	);
	let said = '';
	for (const stream of [child.stdout, child.stderr]) {
		stream.on('data', (data: Buffer) => (said += data.toString()));
	}
	const ended = once(child, 'close').then(([code]) => ({ code: code as number, said }));
	return { child, ended };
}

it('says what it needs without a key, and ends with code 2', async () => {
	const { code, said } = await start([], {}).ended;
	expect([code, said]).toEqual([2, 'Set WHEROBOTS_API_KEY to an API key of Wherobots Cloud.\n']);
});

describe('with a service', () => {
	let sandbox: Sandbox;

	beforeEach(async () => {
		sandbox = await startSandbox({ clock: new RealClock({ speed: 20 }), seed: 'demo' });
	});

	afterEach(async () => {
		await sandbox.stop();
	});

	const account = (key = sandbox.credentials.admin.apiKey) => ({
		WHEROBOTS_API_KEY: key,
		WHEROBOTS_BASE_URL: sandbox.baseUrl,
	});

	it('says that a key is wrong, without showing it', async () => {
		const { code, said } = await start(['--yes'], account('sk-not-a-key-12345')).ended;
		expect(code).toBe(2);
		expect(said).toBe('The service rejects the key in WHEROBOTS_API_KEY (status 401).\n');
	});

	it('does nothing where it cannot ask', async () => {
		const { code, said } = await start([], account()).ended;
		expect(code).toBe(2);
		expect(said).toMatch(/add --yes/);
	});

	it('writes a report', async () => {
		const { code, said } = await start(['--yes'], account()).ended;
		expect(said).toMatch(/\d\d as assumed, 0 otherwise, \d\d could not be checked/);
		expect(code).toBe(0);
		expect(readFileSync(report, 'utf8')).toMatch(/^# Live check/);
		rmSync(report);
	});

	it('removes what it made after Ctrl-C, and ends with code 130', async () => {
		const { child, ended } = start(['--spend', '--yes'], account());
		const stop = sandbox.requests.listen(({ endpoint }) => {
			// Both are there by then: the run is submitted first.
			if (endpoint === 'getSqlSession') {
				stop();
				child.kill('SIGINT');
			}
		});
		const { code, said } = await ended;
		expect(said).toMatch(/Stopping, and removing what was made/);
		expect(code).toBe(130);
		expect(leftIn(sandbox)).toEqual([]);
		expect(sandbox.requests.of('createRun')).toHaveLength(2);
		expect(existsSync(report)).toBe(false);
	});
});
