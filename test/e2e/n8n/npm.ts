import { delimiter, dirname } from 'node:path';
import { execa } from 'execa';

export interface NpmOptions {
	cwd: string;
	/** A Node to run npm itself with, so that native modules are built for that Node. */
	node?: string;
	env?: Record<string, string>;
}

/**
 * Runs npm in a folder of its own.
 *
 * @throws Error with the end of npm's output when it fails
 */
export async function npm(args: string[], { cwd, node, env = {} }: NpmOptions): Promise<string> {
	const result = await execa('npm', args, {
		cwd,
		env: { ...inheritedEnvironment(node), ...env },
		extendEnv: false,
		all: true,
		reject: false,
		stdin: 'ignore',
	});
	if (result.exitCode !== 0) {
		const tail = (result.all ?? '').split('\n').slice(-30).join('\n');
		throw new Error(`npm ${args.join(' ')} ended with ${result.exitCode ?? result.signal}\n${tail}`);
	}
	return result.stdout;
}

/**
 * Under `npm run`, npm hands its own settings on to what it starts (`ignore-scripts` of this
 * project, for one). A child npm has to read its own.
 */
function inheritedEnvironment(node?: string): NodeJS.ProcessEnv {
	const env: NodeJS.ProcessEnv = {};
	for (const [name, value] of Object.entries(process.env)) {
		if (/^(npm_(lifecycle|package|command|execpath|node_execpath)|INIT_CWD$)/i.test(name)) continue;
		if (/^npm_config_(ignore_scripts|local_prefix|omit|include|workspace|save)/i.test(name)) continue;
		if (name === 'NODE_ENV' || name === 'NODE_OPTIONS') continue;
		env[name] = value;
	}
	if (node) env.PATH = `${dirname(node)}${delimiter}${env.PATH ?? ''}`;
	return env;
}
