/** A client of the vendor at work on the sandbox. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { execa } from 'execa';

import { run } from '../../scripts/lib/run';
import { RealClock, startSandbox, type Sandbox, type SandboxOptions } from '../sandbox';
import { makeFolder } from '../support/folder';
import { ensurePython, ensureTools, type Environment } from './environment';
import { startS3, type S3 } from './s3';

/** So many times faster than real time do runs and sessions go. */
const SPEED = 20;

/** The outcome of each piece of work of a script: a JSON value, or `{ error, message }`. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Outcomes = Record<string, any>;

export type Judge = Awaited<ReturnType<typeof startJudge>>;

export interface JudgeOptions extends SandboxOptions {
	/** The sandbox without TLS: most clients refuse that, one trusts no certificate of ours. */
	plain?: boolean;
}

const SCRIPT_MS = 180_000;

export async function startJudge(
	name: Environment,
	{ plain = false, ...options }: JudgeOptions = {},
) {
	const [python, tools] = [await ensurePython(name), await ensureTools()];
	const { folder, remove } = await makeFolder('vendor');
	await run(tools, ['-m', 'trustme', '--quiet', '--identities', '127.0.0.1'], { cwd: folder });
	const read = async (file: string) => await readFile(path.join(folder, file), 'utf8');
	const tls = { cert: await read('server.pem'), key: await read('server.key') };
	const clock = new RealClock({ speed: SPEED });
	const ours = { clock, seed: 'demo', ...(!plain && { tls }) } as const;
	// A minute of the sandbox is short where Python has to start first.
	const variants = { presignedSeconds: 900, ...options.variants };
	const sandbox = await startSandbox({ ...ours, ...options, variants });
	const s3 = await startS3();
	const env = environmentOf(sandbox, s3, folder);
	return {
		sandbox,
		s3,
		/** Runs a script of `python/` to its end; `given` is what it reads by that name. */
		async work(script: string, given = {}) {
			const { stdout } = await execa(python, [path.join(__dirname, 'python', script)], {
				cwd: folder,
				env,
				extendEnv: false,
				input: JSON.stringify(given),
				timeout: SCRIPT_MS,
			});
			return JSON.parse(stdout) as Outcomes;
		},
		async stop() {
			await s3.stop();
			await sandbox.stop();
			await remove();
		},
	};
}

/** All that a client sees of this machine. */
function environmentOf(sandbox: Sandbox, s3: S3, folder: string): Record<string, string> {
	const { host } = new URL(sandbox.baseUrl);
	const { apiKey } = sandbox.credentials.admin;
	const authority = path.join(folder, 'client.pem');
	return {
		PATH: process.env.PATH ?? '',
		HOME: folder,
		LC_ALL: 'C.UTF-8',
		PYTHONDONTWRITEBYTECODE: '1',
		REQUESTS_CA_BUNDLE: authority,
		SSL_CERT_FILE: authority,
		WHEROBOTS_API_BASE_URL: sandbox.baseUrl,
		WHEROBOTS_API_KEY: apiKey,
		WHEROBOTS_HOST: host,
		AWS_ENDPOINT_URL: s3.url,
		AWS_REQUEST_CHECKSUM_CALCULATION: 'when_required',
		AIRFLOW_HOME: folder,
		AIRFLOW__USAGE_DATA_COLLECTION__ENABLED: 'False',
		AIRFLOW_CONN_WHEROBOTS_DEFAULT: JSON.stringify({
			conn_type: 'generic',
			host,
			password: apiKey,
		}),
		DBT_SEND_ANONYMOUS_USAGE_STATS: 'False',
	};
}
