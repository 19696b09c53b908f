import { packedPackage } from '../../../scripts/lib/packedPackage';
import { startStep, type Step } from './progress';

/**
 * The package of the present sources, built and packed as `npm publish` would, with progress when
 * there is something to do.
 *
 * @returns path of the tarball
 */
export async function packPackage(): Promise<string> {
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
