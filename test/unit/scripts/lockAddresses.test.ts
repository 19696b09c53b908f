import { withAddresses } from '../../../scripts/lib/lockAddresses';

const lockOf = (packages: object) => JSON.stringify({ lockfileVersion: 3, packages });
const addressesIn = (text: string) => {
	const { packages } = JSON.parse(text) as { packages: Record<string, { resolved?: string }> };
	return Object.values(packages).map(({ resolved }) => resolved);
};
const integrity = 'sha512-any';

describe('the addresses of locked packages', () => {
	it('follow from name and version', () => {
		const lock = lockOf({
			'node_modules/ms': { version: '2.1.3', integrity },
			'node_modules/a/node_modules/@scope/b': { version: '1.0.0-rc.1', integrity },
			'node_modules/string-width-cjs': { name: 'string-width', version: '4.2.3', integrity },
		});
		expect(addressesIn(withAddresses(lock))).toEqual([
			'https://registry.npmjs.org/ms/-/ms-2.1.3.tgz',
			'https://registry.npmjs.org/@scope/b/-/b-1.0.0-rc.1.tgz',
			'https://registry.npmjs.org/string-width/-/string-width-4.2.3.tgz',
		]);
	});

	it('are left alone where they are there, and left out where none came from a registry', () => {
		const lock = lockOf({
			'': { name: 'root', version: '1.0.0' },
			'node_modules/own': { resolved: '../own', link: true },
			'node_modules/forked': { version: '1.0.0', integrity, resolved: 'https://elsewhere/f.tgz' },
		});
		expect(addressesIn(withAddresses(lock))).toEqual([
			undefined,
			'../own',
			'https://elsewhere/f.tgz',
		]);
	});
});
