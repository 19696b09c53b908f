import {
	attemptOf,
	describeStorage,
	type Refusal,
} from '../../../../nodes/Wherobots/transport/files/storage';

const refused = (status: number, code?: string): Refusal => ({ kind: 'refused', status, code });
const lost = (code: string): Refusal => ({ kind: 'network', code });

it('a refusal is a status for the retry policy, a lost response is not', () => {
	expect(attemptOf(refused(503, 'SlowDown'), 1)).toEqual({ kind: 'response', status: 503 });
	expect(attemptOf(lost('ECONNRESET'), 1)).toEqual({ kind: 'network', code: 'ECONNRESET' });
});

it('a failure after a successful status may pass', () => {
	expect(attemptOf(refused(200), 1)).toEqual({ kind: 'response', status: 503 });
	expect(attemptOf(refused(300), 1)).toEqual({ kind: 'response', status: 300 });
	expect(describeStorage('PUT', refused(200)).description).toContain('Try again later.');
});

it('another address may help where access is denied or the request is bad, and nowhere else', () => {
	for (const refusal of [refused(403), refused(400)]) {
		expect(attemptOf(refusal, 1)).toEqual({ kind: 'network', code: 'ECONNRESET' });
		expect(attemptOf(refusal, 2)).toBeUndefined();
	}
	expect(attemptOf(refused(404), 1)).toEqual({ kind: 'response', status: 404 });
	expect(attemptOf(lost('INSECURE_ADDRESS'), 1)).toBeUndefined();
});

describe('a lost response', () => {
	it.each([
		['ENOTFOUND', 'Could not connect to the storage'],
		['ECONNREFUSED', 'Could not connect to the storage'],
		['XENOTFOUND', 'The connection to the storage was lost'],
		['ENOTFOUNDX', 'The connection to the storage was lost'],
		['ETIMEDOUT', 'The storage did not respond in time'],
		['NETIMEDOUT', 'The connection to the storage was lost'],
		['ETIMEDOUTS', 'The connection to the storage was lost'],
		['NO_CERT_', 'The connection to the storage was lost'],
		['ECONNRESET', 'The connection to the storage was lost'],
	])('is put into words: %s', (code, message) => {
		const failure = describeStorage('GET', lost(code));
		expect(failure).toEqual({ message, description: `${code}.`, temporary: true });
	});

	it('is not expected to pass where the certificate is at fault', () => {
		expect(describeStorage('GET', lost('CERT_HAS_EXPIRED'))).toEqual({
			message: 'The certificate of the storage is not trusted',
			description: 'CERT_HAS_EXPIRED.',
			temporary: false,
		});
	});

	it('of an upload says that it may be repeated', () => {
		const { description } = describeStorage('PUT', lost('ECONNRESET'));
		expect(description).toMatch(
			/^ECONNRESET\.\nIt is not certain whether the file arrived\. .*safe to upload/,
		);
	});

	it.each([
		['SSRF_BLOCKED', 'This n8n does not allow requests to the storage', /administrator/],
		['INSECURE_ADDRESS', 'The URL for the file is not secure', /Nothing was sent/],
	])('that never was: %s', (code, message, hint) => {
		const failure = describeStorage('PUT', lost(code));
		expect(failure).toEqual({ message, description: expect.stringMatching(hint) });
	});
});

describe('a refusal', () => {
	it('is of the file where it was uploaded, and of its download otherwise', () => {
		expect(describeStorage('PUT', refused(403)).message).toBe('The storage rejected the file');
		expect(describeStorage('GET', refused(403)).message).toBe(
			'The storage did not return the file',
		);
	});

	it.each<[number, string | undefined, string, boolean]>([
		[403, 'AccessDenied', 'HTTP 403, AccessDenied from the storage.\nThe URL had only just', false],
		[
			400,
			'EntityTooLarge',
			'HTTP 400, EntityTooLarge from the storage.\nS3 accepts at most 5 GB',
			false,
		],
		[
			404,
			'NoSuchKey',
			'HTTP 404, NoSuchKey from the storage.\nThere is no file at this path',
			false,
		],
		[503, 'SlowDown', 'HTTP 503, SlowDown from the storage.\nTry again later.', true],
		[499, undefined, 'HTTP 499 from the storage.', false],
		[500, undefined, 'HTTP 500 from the storage.\nTry again later.', true],
		[408, undefined, 'HTTP 408 from the storage.\nTry again later.', true],
		[501, 'NotImplemented', 'HTTP 501, NotImplemented from the storage.', false],
		[429, 'Unheard', 'HTTP 429, Unheard from the storage.\nTry again later.', true],
	])('says %s, %s and what to do', (status, code, description, temporary) => {
		const failure = describeStorage('GET', refused(status, code));
		expect(failure).toMatchObject({
			httpCode: String(status),
			codes: code === undefined ? [] : [code],
			temporary,
		});
		expect(failure.description.startsWith(description)).toBe(true);
		expect(failure.description.split('\n')).toHaveLength(description.split('\n').length);
	});

	it.each([300, 399])('with status %i is a redirect that was not followed', (status) => {
		expect(describeStorage('GET', refused(status))).toEqual({
			message: 'The storage redirects to another address',
			description: expect.stringMatching(/^The redirect was not followed/),
			httpCode: String(status),
		});
	});

	it.each([299, 400])('with status %i is no redirect', (status) => {
		expect(describeStorage('GET', refused(status)).message).toMatch(/did not return/);
	});
});
