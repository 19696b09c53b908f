import { redact, withoutSignatures } from '../../../nodes/Wherobots/transport/text';

describe('withoutSignatures', () => {
	it.each([
		['at https://b.s3/x?X-Amz-Date=1&X-Amz-Signature=ab now', 'at https://b.s3/x?*** now'],
		['"https://s/x?AWSAccessKeyId=A&Signature=b&Expires=3"', '"https://s/x?***"'],
		['https://s/x?x-goog-signature=ab', 'https://s/x?***'],
		['https://a.blob/x?sv=1&sig=ab%3D', 'https://a.blob/x?***'],
		['https://api/runs?size=5&cursor=x', 'https://api/runs?size=5&cursor=x'],
		['what is a design?', 'what is a design?'],
	])('makes of %j %j', (text, clean) => {
		expect(withoutSignatures(text)).toBe(clean);
	});
});

describe('redact', () => {
	it.each([
		['12345678', 'a *** b'],
		['1234567', 'a 1234567 b'],
	])('takes eight characters for a secret: %s', (secret, expected) => {
		expect(redact(`a ${secret} b`, [secret])).toBe(expected);
	});

	it.each([
		['a text', 'a"b\\c/defgh', '***'],
		['JSON', 'a\\"b\\\\c/defgh', '***'],
		['JSON with escaped slashes', 'a\\"b\\\\c\\/defgh', '***'],
		['a URL', 'x=a%22b%5Cc%2Fdefgh', 'x=***'],
	])('knows the secret in %s', (_, text, expected) => {
		expect(redact(text, ['a"b\\c/defgh'])).toBe(expected);
	});

	it('knows what half a character becomes in a URL', () => {
		expect(redact('x=%EF%BF%BDabcdefg', ['\ud800abcdefg'])).toBe('x=***');
	});
});
