import {
	CLIENT_HEADER,
	PACKAGE_NAME,
	PACKAGE_VERSION,
	USER_AGENT,
} from '../../../nodes/Wherobots/service/deployment';
import manifest from '../../../package.json';

it('names the package and its version as package.json does', () => {
	expect([PACKAGE_NAME, PACKAGE_VERSION]).toEqual([manifest.name, manifest.version]);
});

it('tells the service which client it is, in both headers', () => {
	expect(USER_AGENT).toBe(`${manifest.name}/${manifest.version}`);
	expect(CLIENT_HEADER).toEqual({ 'X-Wherobots-Client': `client=n8n;ver=${manifest.version}` });
});
