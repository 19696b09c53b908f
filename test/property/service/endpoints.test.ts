import fc from 'fast-check';

import { isLoopbackHost, readBaseUrl } from '../../../nodes/Wherobots/service/baseUrl';
import {
	buildPath,
	endpoints,
	pathProblem,
	pathValueProblem,
} from '../../../nodes/Wherobots/service/endpoints';

const names = /\{(\w+)\}/g;

describe('buildPath', () => {
	it('carries any value to the service unchanged, in its own segment', () => {
		const value = fc
			.string({ unit: 'grapheme', minLength: 1 })
			.filter((text) => pathValueProblem(text) === undefined);
		fc.assert(
			fc.property(
				fc.constantFrom(...Object.values(endpoints).filter(({ path }) => !path.endsWith('{path}'))),
				fc.infiniteStream(value),
				(to, values) => {
					const given: Record<string, string> = {};
					for (const [, name] of to.path.matchAll(names))
						given[name] = values.next().value as string;

					// As it arrives: an HTTP client resolves dot segments on the way.
					const { pathname, search, hash } = new URL(`https://x${buildPath(to, given)}`);
					const expected = to.path.split('/');
					const arrived = pathname.split('/');
					expect([search, hash, arrived.length]).toEqual(['', '', expected.length]);
					expected.forEach((part, index) => {
						const name = /^\{(\w+)\}$/.exec(part)?.[1];
						expect(decodeURIComponent(arrived[index])).toBe(name ? given[name] : part);
					});
				},
			),
			{ numRuns: 300 },
		);
	});

	it('carries a path with its slashes, each segment unchanged', () => {
		const segment = fc
			.string({ unit: 'grapheme', minLength: 1 })
			.filter((text) => pathValueProblem(text) === undefined && !text.includes('/'));
		const path = fc
			.tuple(fc.array(segment, { maxLength: 4 }), fc.boolean())
			.map(([segments, isFolder]) => segments.join('/') + (isFolder && segments.length ? '/' : ''));
		fc.assert(
			fc.property(path, (given) => {
				const built = buildPath(endpoints.listDirectory, { storage_id: 'a/b', path: given });
				const { pathname, search, hash } = new URL(`https://x${built}`);
				const [, , storage, route, ...rest] = pathname.split('/');
				expect([search, hash, storage, route]).toEqual(['', '', 'a%2Fb', 'directories']);
				expect(rest.map(decodeURIComponent).join('/')).toBe(given);
			}),
			{ numRuns: 300 },
		);
	});

	it.each(['/a', 'a//b', '..', 'a/../b', 'a/./b', './', 'a/\uD800', '//'])(
		'refuses the path %j',
		(path) => {
			expect(pathProblem(path)).toMatch(/^(must|contains) /);
			expect(() => buildPath(endpoints.deleteFile, { storage_id: 's', path })).toThrow(RangeError);
		},
	);

	it.each(['', '.', '..', '\uD800', 'a\uDFFFb'])('refuses %j', (run_id) => {
		expect(pathValueProblem(run_id)).toMatch(/^(must|contains) /);
		expect(() => buildPath(endpoints.getRun, { run_id })).toThrow(RangeError);
	});

	it('refuses a missing value', () => {
		expect(() => buildPath(endpoints.getRun)).toThrow("The path value 'run_id' must not be empty");
	});
});

describe('readBaseUrl', () => {
	it('sends a key unencrypted to this machine only', () => {
		fc.assert(
			fc.property(fc.webUrl({ validSchemes: ['http', 'https', 'ftp'] }), (text) => {
				const read = readBaseUrl(text);
				if (!read.ok) return;
				const url = new URL(read.url);
				expect(url.protocol === 'https:' || isLoopbackHost(url.hostname)).toBe(true);
			}),
		);
	});

	it('gives an address to which paths can be added, whatever is typed', () => {
		fc.assert(
			fc.property(fc.oneof(fc.anything(), fc.string(), fc.webUrl()), (input) => {
				const read = readBaseUrl(input);
				if (!read.ok) return expect(read.problem).toMatch(/^'Base URL' must /);
				expect(read.url).not.toMatch(/\/$/);
				expect(readBaseUrl(read.url)).toEqual(read);
				const below = new URL(`${read.url}/runs/a%2Fb`);
				expect(below.pathname).toMatch(/\/runs\/a%2Fb$/);
				expect(below.origin).toBe(new URL(read.url).origin);
			}),
			{ numRuns: 300 },
		);
	});

	it.each([
		['https://api.cloud.wherobots.com/', 'https://api.cloud.wherobots.com'],
		['  https://HOST.example:8443/gateway/v1//  ', 'https://host.example:8443/gateway/v1'],
		['http://localhost:8787', 'http://localhost:8787'],
		['http://127.0.0.1:1/x', 'http://127.0.0.1:1/x'],
		['http://[::1]:8787/', 'http://[::1]:8787'],
		['', 'https://api.cloud.wherobots.com'],
		[undefined, 'https://api.cloud.wherobots.com'],
	])('reads %j', (typed, url) => {
		expect(readBaseUrl(typed)).toEqual({ ok: true, url });
	});

	it.each([
		[
			'http://api.cloud.wherobots.com',
			'must start with https://, so that the key is not sent unencrypted. Enter https://api.cloud',
		],
		['http://127.0.0.1.evil.example', 'must start with https://'],
		['http://localhost.evil.example', 'must start with https://'],
		['http://10.0.0.1', 'must start with https://'],
		['api.cloud.wherobots.com', 'must start with https://. Enter https://api.cloud.wherobots.com,'],
		['cloud.wherobots.com', 'must start with https://. Enter https://api.cloud.wherobots.com,'],
		['https://cloud.wherobots.com/job-runs', 'must be the address of the API, not of the web'],
		['localhost:8787', 'must start with https://'],
		['ftp://host', 'must start with https://'],
		['https://user:pass@host', 'must not contain a user name'],
		['https://api.cloud.wherobots.com@host', 'must not contain a user name'],
		['https://:pass@host', 'must not contain a user name'],
		['https://host/?key=1', "must not contain '?'"],
		['https://host/#top', "must not contain '?'"],
		[42, 'must be text'],
	])('refuses %j', (typed, problem) => {
		expect(readBaseUrl(typed)).toEqual({ ok: false, problem: expect.stringContaining(problem) });
	});
});
