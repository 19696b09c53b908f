import fc from 'fast-check';

import { isLoopbackHost, parseBaseUrl } from '../../../nodes/Wherobots/service/deployment';

it('a base URL sends a key unencrypted to this machine only', () => {
	fc.assert(
		fc.property(fc.webUrl({ validSchemes: ['http', 'https', 'ftp'] }), (text) => {
			const read = parseBaseUrl(text);
			if (!read.ok) return;
			const url = new URL(read.url);
			expect(url.protocol === 'https:' || isLoopbackHost(url.hostname)).toBe(true);
		}),
	);
});

it('a base URL is an address to which paths can be added, whatever is typed', () => {
	fc.assert(
		fc.property(fc.oneof(fc.anything(), fc.string(), fc.webUrl()), (input) => {
			const read = parseBaseUrl(input);
			if (!read.ok) return expect(read.problem).toMatch(/^'Base URL' must /);
			expect(read.url).not.toMatch(/\/$/);
			expect(parseBaseUrl(read.url)).toEqual(read);
			const below = new URL(`${read.url}/runs/a%2Fb`);
			expect(below.pathname).toMatch(/\/runs\/a%2Fb$/);
			expect(below.origin).toBe(new URL(read.url).origin);
		}),
		{ numRuns: 300 },
	);
});
