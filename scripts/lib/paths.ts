import { homedir } from 'node:os';
import path from 'node:path';

/** The root of this repository. */
export const REPOSITORY = path.resolve(__dirname, '..', '..');

/** Where `npm run build` puts what is published. */
export const DIST = path.join(REPOSITORY, 'dist');

/**
 * The folder that keeps large things between runs: a whole n8n, the package scanner. It is outside
 * the checkout, so that a fresh clone finds it filled.
 */
export function cacheRoot(env: NodeJS.ProcessEnv = process.env): string {
	if (env.N8N_NODES_WHEROBOTS_CACHE) return path.resolve(env.N8N_NODES_WHEROBOTS_CACHE);
	const base = env.XDG_CACHE_HOME
		? path.resolve(env.XDG_CACHE_HOME)
		: path.join(homedir(), '.cache');
	return path.join(base, 'n8n-nodes-wherobots');
}
