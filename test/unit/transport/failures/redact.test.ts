import { withoutSignatures } from '../../../../nodes/Wherobots/transport/failures/redact';

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
