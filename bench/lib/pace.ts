import path from 'node:path';

/** A module of the built package that keeps its pace, in an unpacked package: `rateLimit` sets it. */
export function paceModule(packageDir: string, name: 'rateLimit' | 'limiters'): string {
	return path.join(packageDir, 'dist', 'nodes', 'Wherobots', 'transport', 'pace', `${name}.js`);
}

/** The one piece of code in it that sets the pace. */
export const PACE = /RATE_LIMIT = \{ requests: 100,/;
