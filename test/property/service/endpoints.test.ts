import fc from 'fast-check';

import { buildPath, endpoints } from '../../../nodes/Wherobots/service/endpoints';
import { checkPath, checkPathValue } from '../../../nodes/Wherobots/service/rules';
import { forAll } from '../../support/forAll';

const names = /\{(\w+)\}/g;

describe('the path of a request', () => {
	it('carries any value to the service unchanged, in its own segment', async () => {
		const value = fc
			.string({ unit: 'grapheme', minLength: 1 })
			.filter((text) => checkPathValue(text) === undefined);
		await forAll(
			[
				fc.constantFrom(...Object.values(endpoints).filter(({ path }) => !path.endsWith('{path}'))),
				fc.infiniteStream(value),
			],
			300,
			(to, values) => {
				const given: Record<string, string> = {};
				for (const [, name] of to.path.matchAll(names)) given[name] = values.next().value as string;

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
		);
	});

	it('carries a path with its slashes, each segment unchanged', async () => {
		const segment = fc
			.string({ unit: 'grapheme', minLength: 1 })
			.filter((text) => checkPathValue(text) === undefined && !text.includes('/'));
		const path = fc
			.tuple(fc.array(segment, { maxLength: 4 }), fc.boolean())
			.map(([segments, isFolder]) => segments.join('/') + (isFolder && segments.length ? '/' : ''));
		await forAll([path], 300, (given) => {
			const built = buildPath(endpoints.listDirectory, { storage_id: 'a/b', path: given });
			const { pathname, search, hash } = new URL(`https://x${built}`);
			const [, , storage, route, ...rest] = pathname.split('/');
			expect([search, hash, storage, route]).toEqual(['', '', 'a%2Fb', 'directories']);
			expect(rest.map(decodeURIComponent).join('/')).toBe(given);
		});
	});

	it.each(['/a', 'a//b', '..', 'a/../b', 'a/./b', './', 'a/\uD800', '//'])(
		'refuses the path %j',
		(path) => {
			expect(checkPath(path)).toMatch(/^(must|contains) /);
			expect(() => buildPath(endpoints.deleteFile, { storage_id: 's', path })).toThrow(RangeError);
		},
	);

	it.each(['', '.', '..', '\uD800', 'a\uDFFFb'])('refuses %j', (run_id) => {
		expect(checkPathValue(run_id)).toMatch(/^(must|contains) /);
		expect(() => buildPath(endpoints.getRun, { run_id })).toThrow(RangeError);
	});

	it('refuses a missing value', () => {
		expect(() => buildPath(endpoints.getRun)).toThrow("The path value 'run_id' must not be empty");
	});
});
