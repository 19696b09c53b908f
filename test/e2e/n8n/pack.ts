import path from 'node:path';

import { packedPackage } from '../../../scripts/lib/packedPackage';
import { startStep, type Step } from './progress';

/** A tarball to use instead: that of a release, say, or one that was built elsewhere. */
const TARBALL_VARIABLE = 'N8N_NODES_WHEROBOTS_TARBALL';

/**
 * The package of the present sources, built and packed as `npm publish` would, with progress when
 * there is something to do.
 *
 * @returns path of the tarball
 */
export async function packPackage(): Promise<string> {
	const given = process.env[TARBALL_VARIABLE];
	if (given) return path.resolve(given);
	let progress: Step | undefined;
	try {
		const { tarball } = await packedPackage((message) => {
			progress = startStep(message);
		});
		progress?.done();
		return tarball;
	} catch (error) {
		progress?.fail();
		throw error;
	}
}
