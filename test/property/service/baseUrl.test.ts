import fc from 'fast-check';

import { isLoopbackHost, parseBaseUrl } from '../../../nodes/Wherobots/service/deployment';
import { forAll, USUALLY } from '../../support/forAll';

it('a base URL sends a key unencrypted to this machine only', async () =>
	await forAll([fc.webUrl({ validSchemes: ['http', 'https', 'ftp'] })], USUALLY, (text) => {
		const read = parseBaseUrl(text);
		if (!read.ok) return;
		const url = new URL(read.url);
		expect(url.protocol === 'https:' || isLoopbackHost(url.hostname)).toBe(true);
	}));

it('a base URL is an address to which paths can be added, whatever is typed', async () =>
	await forAll([fc.oneof(fc.anything(), fc.string(), fc.webUrl())], 300, (input) => {
		const read = parseBaseUrl(input);
		if (!read.ok) return expect(read.problem).toMatch(/^'Base URL' must /);
		expect(read.url).not.toMatch(/\/$/);
		expect(parseBaseUrl(read.url)).toEqual(read);
		const below = new URL(`${read.url}/runs/a%2Fb`);
		expect(below.pathname).toMatch(/\/runs\/a%2Fb$/);
		expect(below.origin).toBe(new URL(read.url).origin);
	}));
