/** The programs in `python/`, each with a Spark of its own, which ends with it. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';

import { execa } from 'execa';

import { installSpark, PYTHON, SERVICE, SPARK } from './install';

/** Runs a program over a value, as JSON. @param withJars with Sedona and Iceberg, not the parser alone */
export async function runPython<T>(
	program: string,
	input: unknown,
	{ version = SPARK, withJars = false } = {},
): Promise<T> {
	const folder = await mkdtemp(path.join(tmpdir(), 'spark-'));
	try {
		const { args, ...place } = await command(program, version, folder, withJars);
		const { stdout } = await execa('python3', args, {
			...place,
			input: JSON.stringify(input),
			maxBuffer: 2 ** 28,
		});
		return JSON.parse(stdout) as T;
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

/** The service on a real Spark. */
export type Service = Awaited<ReturnType<typeof startService>>;

/** Starts the service, which also ends when this process does. */
export async function startService() {
	const folder = await mkdtemp(path.join(tmpdir(), 'spark-'));
	const { args, ...place } = await command('service.py', SPARK, folder, true);
	const service = execa('python3', args, { ...place, stdin: 'pipe', buffer: false });
	const log: string[] = [];
	service.stderr?.on('data', (piece) => log.push(String(piece)));
	const ended = service.catch(() => undefined);
	const stop = async () => {
		service.stdin?.end();
		await ended;
		await rm(folder, { recursive: true, force: true });
	};
	const baseUrl = await firstLine(service.stdout as Readable);
	// The folder is `s3://bucket` to its statements.
	if (baseUrl !== undefined) return { baseUrl, bucket: path.join(folder, 'bucket'), stop };
	await stop();
	throw new Error(`The service did not start:\n${log.join('').slice(-4_000)}`);
}

/** Undefined when there is none. */
async function firstLine(output: Readable): Promise<string | undefined> {
	let text = '';
	for await (const piece of output) {
		text += String(piece);
		if (text.includes('\n')) return text.trim();
	}
	return undefined;
}

async function command(program: string, version: string, folder: string, withJars: boolean) {
	const installed = await installSpark();
	const packages = path.join(installed, version);
	const jars = withJars ? [path.join(installed, 'jars', version), folder] : [];
	const env = {
		PYTHONPATH: [packages, path.join(installed, SERVICE), PYTHON].join(path.delimiter),
		PYTHONDONTWRITEBYTECODE: '1',
		SPARK_HOME: path.join(packages, 'pyspark'),
		SPARK_LOCAL_IP: '127.0.0.1',
		TZ: 'UTC',
	};
	return {
		args: [path.join(PYTHON, program), ...jars],
		cwd: folder,
		env,
	};
}
