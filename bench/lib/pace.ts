import path from 'node:path';

/** The module of the built package that sets its pace, in an unpacked package. */
export function paceModule(packageDir: string): string {
	return path.join(packageDir, 'dist', 'nodes', 'Wherobots', 'transport', 'pace', 'rateLimit.js');
}

/** The one piece of code in it that sets the pace. */
export const PACE = /RATE_LIMIT = \{ requests: 100,/;
