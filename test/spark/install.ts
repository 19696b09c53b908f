/** What the tests install: three versions of Spark, and the jars of Sedona and Iceberg for the first. */
import { createHash } from 'node:crypto';
import { cp, readFile } from 'node:fs/promises';
import path from 'node:path';

import { execa, execaSync } from 'execa';

import { buildOnce } from '../../scripts/lib/buildOnce';
import { cacheRoot } from '../../scripts/lib/paths';

/** The programs of the tests, and the list of jars. */
export const PYTHON = path.join(__dirname, 'python');

/** The one that statements run on, with what the service of the tests needs. */
export const SPARK = '3.5.7';

/** Its grammar, and those of later versions. */
export const GRAMMARS = [SPARK, '4.0.4', '4.3.0'];

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
	const key = JSON.stringify([python, GRAMMARS, SERVICE_PACKAGES]);
	const hash = createHash('sha256').update(pom).update(key).digest('hex').slice(0, 16);
	return await buildOnce(path.join(cacheRoot(), `spark-${hash}`), async (folder) => {
		process.stdout.write('Installing Spark, Sedona and Iceberg (once; this takes minutes)\n');
		await Promise.all([installJars(folder), installPackages(folder)]);
		return folder;
	});
}

async function installJars(folder: string): Promise<void> {
	await cp(path.join(PYTHON, 'pom.xml'), path.join(folder, 'pom.xml'));
	const goal = ['dependency:copy-dependencies', '-DoutputDirectory=jars'];
	await execa('mvn', ['-q', '-B', ...goal], { cwd: folder, all: true, stdin: 'ignore' });
}

async function installPackages(folder: string): Promise<void> {
	for (const version of GRAMMARS) {
		const extra = version === SPARK ? SERVICE_PACKAGES : [];
		const target = ['--target', path.join(folder, version)];
		const args = ['-m', 'pip', 'install', '-q', ...target, `pyspark==${version}`, ...extra];
		await execa('python3', args, { all: true, stdin: 'ignore' });
	}
}
