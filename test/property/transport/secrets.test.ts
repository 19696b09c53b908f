import fc from 'fast-check';

import { redactSecrets } from '../../../nodes/Wherobots/transport/secrets';
import { forAll, USUALLY } from '../../support/forAll';

const secrets = fc.array(
	fc
		.string({ minLength: 8, maxLength: 60, unit: 'grapheme-ascii' })
		.filter((secret) => secret.trim() === secret && !/[*\\]/.test(secret)),
	{ minLength: 1, maxLength: 3 },
);

/** The forms in which a response may repeat a secret. */
const forms = [
	(secret: string) => secret,
	(secret: string) => encodeURIComponent(secret),
	(secret: string) => JSON.stringify(secret).slice(1, -1),
	(secret: string) => JSON.stringify(secret).slice(1, -1).replaceAll('/', '\\/'),
];

describe('redactSecrets', () => {
	it.each([
		[['sk-short-0123', 'sk-short-0123-and-its-end']],
		[['sk-short-0123-and-its-end', 'sk-short-0123']],
	])('leaves no end of a secret that begins with another: %j', (hidden) => {
		expect(redactSecrets('The key sk-short-0123-and-its-end is refused', hidden)).toBe(
			'The key *** is refused',
		);
	});

	it('knows a secret that looks as if something in it were escaped', () => {
		expect(redactSecrets('The key %00abcdef\\/ is refused', ['%00abcdef/'])).toBe(
			'The key *** is refused',
		);
	});

	it('leaves no secret in any text, in whatever form it is repeated', async () =>
		await forAll(
			[
				secrets, // A backslash before an escape would make another text of it.
				fc.array(fc.string().filter((part) => !part.endsWith('\\'))),
				fc.constantFrom(...forms),
			],
			1_000,
			(hidden, parts, form) => {
				const text = parts.join(`<${form(hidden[0])}>`) + form(hidden.at(-1) as string);
				const clean = redactSecrets(text, hidden);
				for (const secret of hidden) {
					expect(clean).not.toContain(secret);
					// A form may be shorter than what it stands for only when it is the secret itself.
					if (parts.every((part) => !part.includes(form(secret)))) {
						expect(clean).not.toContain(form(secret));
					}
				}
			},
		));

	it('changes nothing in a text without secrets', async () => {
		const unrelated = fc.string({ unit: fc.constantFrom(...'abc \n"<>') });
		await forAll([unrelated], USUALLY, (text) => {
			expect(redactSecrets(text, ['sk-0123456789-XYZ', ''])).toBe(text);
		});
	});

	it('does not replace what is too short to be a secret', () => {
		expect(redactSecrets('a test of tests', ['test'])).toBe('a test of tests');
	});
});
