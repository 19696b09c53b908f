import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { execa } from 'execa';

import { RealClock, startSandbox, type Sandbox } from '../../sandbox';
import { leftIn } from './sandbox';

const COMMAND = path.join(__dirname, '../../../scripts/live.ts');

// Against hanging only: a process takes long to start on a busy machine.
jest.setTimeout(900_000);

const folder = mkdtempSync(path.join(tmpdir(), 'live-check-'));

afterAll(() => rmSync(folder, { recursive: true }));

const report = path.join(folder, 'report.json');

/** Starts the command, which nobody can be asked by. */
function start(flags: string[], env: Record<string, string>) {
	return execa(process.execPath, ['--import', 'tsx', COMMAND, '--report', report, ...flags], {
		...{ env: { PATH: process.env.PATH, ...env }, extendEnv: false },
		...{ stdin: 'ignore', all: true, reject: false, stripFinalNewline: false },
	});
}

it('says what it needs without a key, and ends with code 2', async () => {
	const { exitCode, all } = await start([], {});
	expect([exitCode, all]).toEqual([2, 'Set WHEROBOTS_API_KEY to an API key of Wherobots Cloud.\n']);
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
		const { exitCode, all } = await start(['--yes'], account('sk-not-a-key-12345'));
		expect(exitCode).toBe(2);
		expect(all).toBe('The service rejects the key in WHEROBOTS_API_KEY (status 401).\n');
	});

	it('does nothing where it cannot ask', async () => {
		const { exitCode, all } = await start([], account());
		expect(exitCode).toBe(2);
		expect(all).toMatch(/add --yes/);
	});

	it('writes a report', async () => {
		const { exitCode, all } = await start(['--yes'], account());
		expect(all).toMatch(
			/\d\d works, 0 DIFFERENT, 0 FAILS, \d+ not possible, \d\d not tried; assumptions contradicted: 0/,
		);
		expect(exitCode).toBe(0);
		expect(JSON.parse(readFileSync(report, 'utf8'))).toHaveProperty('exchanges');
	});

	it('removes what it made after Ctrl-C, and ends with code 130 and a report', async () => {
		const child = start(['--spend=5', '--yes'], account());
		const stop = sandbox.requests.listen(({ endpoint }) => {
			if (endpoint === 'createRun') {
				stop();
				child.kill('SIGINT');
			}
		});
		const { exitCode, all } = await child;
		expect(all).toMatch(/Stopping, and removing what was made/);
		expect(exitCode).toBe(130);
		expect(leftIn(sandbox)).toEqual([]);
		expect(JSON.parse(readFileSync(report, 'utf8')).about).toContain('Stopped before its end');
	});

	it('ends at once at a second Ctrl-C, although something is left', async () => {
		sandbox.faults.add({ endpoint: 'deleteDirectory', fault: { kind: 'hang' } });
		const child = start(['--spend=5', '--yes'], account());
		sandbox.requests.listen(({ endpoint }) => {
			if (endpoint === 'createRun') child.kill('SIGINT');
			// One that comes sooner could be the first again, from npm.
			if (endpoint === 'deleteDirectory') setTimeout(() => child.kill('SIGINT'), 1_500);
		});
		const { exitCode, all } = await child;
		expect([exitCode, all]).toEqual([130, expect.stringMatching(/Ctrl-C again ends at once/)]);
		expect(all).not.toMatch(/The report is/);
	});
});
