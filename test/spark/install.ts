/** What the tests install: three versions of Spark, and the jars of Sedona and Iceberg for two of them. */
import { createHash } from 'node:crypto';
import { cp, readFile } from 'node:fs/promises';
import path from 'node:path';

import { execa, execaSync } from 'execa';

import { buildOnce } from '../../scripts/lib/buildOnce';
import { cacheRoot } from '../../scripts/lib/paths';

/** The programs of the tests, and the list of jars. */
export const PYTHON = path.join(__dirname, 'python');

/** Those that statements can run on, and the Spark and Scala that the jars for them are named after. */
const WITH_JARS: Record<string, [spark: string, scala: string]> = {
	'3.5.7': ['3.5', '2.12'],
	'4.0.4': ['4.0', '2.13'],
};

/** The one that statements run on. */
export const SPARK = process.env.N8N_NODES_WHEROBOTS_SPARK === '4' ? '4.0.4' : '3.5.7';

/** Those whose grammars are known. */
export const GRAMMARS = [...Object.keys(WITH_JARS), '4.3.0'];

/** The folder of what the service of the tests needs. */
export const SERVICE = 'service';

const SERVICE_PACKAGES = [
	...['aiohttp==3.14.5', 'cbor2==6.3.0', 'pyarrow==26.0.1'],
	...['numpy<3', 'pandas<4', 'setuptools<81'],
];

const TOOLS: Array<[string, string[], string]> = [
	['java', ['-version'], 'Java 17 or 21 (openjdk-17-jre-headless)'],
	['python3', ['-m', 'pip', '--version'], 'Python 3.9 or later with pip (python3-pip)'],
	['mvn', ['--version'], 'Maven (maven)'],
];

/** The variable that tells test files what is missing. */
export const MISSING = 'N8N_NODES_WHEROBOTS_SPARK_MISSING';

/** What is not on this machine, and its Debian package. */
export function missingTools(): string[] {
	return TOOLS.filter(([command, args]) => execaSync(command, args, { reject: false }).failed).map(
		([, , name]) => name,
	);
}

/** Installs everything into the cache folder, once for each set of versions; about three minutes. */
export async function installSpark(): Promise<string> {
	const pom = await readFile(path.join(PYTHON, 'pom.xml'));
	const { stdout: python } = await execa('python3', ['--version']);
	const key = JSON.stringify([python, GRAMMARS, WITH_JARS, SERVICE_PACKAGES]);
	const hash = createHash('sha256').update(pom).update(key).digest('hex').slice(0, 16);
	return await buildOnce(path.join(cacheRoot(), `spark-${hash}`), async (folder) => {
		process.stdout.write('Installing Spark, Sedona and Iceberg (once; this takes minutes)\n');
		await Promise.all([installJars(folder), installPackages(folder)]);
		return folder;
	});
}

async function installJars(folder: string): Promise<void> {
	await cp(path.join(PYTHON, 'pom.xml'), path.join(folder, 'pom.xml'));
	for (const [version, [spark, scala]] of Object.entries(WITH_JARS)) {
		const made = [`-Dspark=${spark}`, `-Dscala=${scala}`, `-DoutputDirectory=jars/${version}`];
		const args = ['-q', '-B', 'dependency:copy-dependencies', ...made];
		await execa('mvn', args, { cwd: folder, all: true, stdin: 'ignore' });
	}
}

async function installPackages(folder: string): Promise<void> {
	const packages = GRAMMARS.map((version): [string, string[]] => [
		version,
		[`pyspark==${version}`],
	]);
	for (const [name, wanted] of [...packages, [SERVICE, SERVICE_PACKAGES] as const]) {
		const target = ['--target', path.join(folder, name)];
		const args = ['-m', 'pip', 'install', '-q', ...target, ...wanted];
		await execa('python3', args, { all: true, stdin: 'ignore' });
	}
}
