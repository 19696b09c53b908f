import { PACKAGE_NAME, PACKAGE_VERSION } from '../../../nodes/Wherobots/service/packageInfo';
import manifest from '../../../package.json';

it('names the package and its version as package.json does', () => {
	expect([PACKAGE_NAME, PACKAGE_VERSION]).toEqual([manifest.name, manifest.version]);
});
