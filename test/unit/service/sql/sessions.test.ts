import {
	isOver,
	getReason,
	parseSessionId,
	toSocketUrl,
} from '../../../../nodes/Wherobots/service/sql/protocol';

const CLOUD = 'https://api.cloud.wherobots.com';

describe('where the key may go', () => {
	it.each([
		[CLOUD, 'https://sql-1.cloud.wherobots.com/s/1', 'wss://sql-1.cloud.wherobots.com/s/1/1.0.0'],
		[CLOUD, 'wss://wherobots.com/s/?a=b#c', 'wss://wherobots.com/s/1.0.0?a=b'],
		[CLOUD, 'https://sql.wherobots.com/s//', 'wss://sql.wherobots.com/s/1.0.0'],
		[CLOUD, 'wss://sql.wherobots.com/http', 'wss://sql.wherobots.com/http/1.0.0'],
		[CLOUD, 'WSS://SQL.Wherobots.COM', 'wss://sql.wherobots.com/1.0.0'],
		['https://api.example.de', 'wss://api.example.de:8443/s', 'wss://api.example.de:8443/s/1.0.0'],
		['https://example.de/api', 'wss://sql.example.de', 'wss://sql.example.de/1.0.0'],
		// A dot at the end of a name changes nothing.
		[CLOUD, 'wss://sql.wherobots.com./s', 'wss://sql.wherobots.com./s/1.0.0'],
		[`${CLOUD}.`, 'wss://sql.wherobots.com/s', 'wss://sql.wherobots.com/s/1.0.0'],
		['https://10.0.0.1', 'wss://10.0.0.1:8443/s', 'wss://10.0.0.1:8443/s/1.0.0'],
		['http://localhost:1', 'http://127.0.0.1:2/s', 'ws://127.0.0.1:2/s/1.0.0'],
		['http://127.0.0.1:1', 'ws://[::1]:2/s', 'ws://[::1]:2/s/1.0.0'],
	])('%s: %s', (base, address, url) => expect(toSocketUrl(base, address)).toBe(url));

	it.each([
		[CLOUD, 'http://sql.cloud.wherobots.com/s'],
		[CLOUD, 'ws://sql.cloud.wherobots.com/s'],
		[CLOUD, 'wss://wherobots.com.example.com/s'],
		[CLOUD, 'wss://notwherobots.com/s'],
		[CLOUD, 'wss://user:pass@sql.wherobots.com/s'],
		[CLOUD, 'wss://user@sql.wherobots.com/s'],
		[CLOUD, 'wss://:pass@sql.wherobots.com/s'],
		[CLOUD, 'ftp://sql.wherobots.com/s'],
		[CLOUD, 'ws://127.0.0.1/s'],
		[CLOUD, 'wss://localhost/s'],
		[CLOUD, 'sql.wherobots.com'],
		['https://api.mine.me.uk', 'wss://sql.mine.me.uk'],
		['https://mine.web.app', 'wss://theirs.web.app'],
		['https://api.example.de', 'wss://example.de'],
		['https://api.example.de', 'wss://notapi.example.de'],
		['https://notwherobots.com', 'wss://sql.wherobots.com'],
		[CLOUD, 'wss://notwherobots.com.'],
		['https://example.de', 'wss://127.0.0.1'],
		['http://127.0.0.1', 'wss://example.127.0.0.1.example'],
		['https://10.0.0.1', 'wss://10.0.0.2'],
		['https://10.0.0.1', 'wss://11.0.0.1'],
		['https://mine.trycloudflare.com', 'wss://theirs.trycloudflare.com'],
		['http://localhost:1', 'wss://sql.wherobots.com'],
	])('not %s: %s', (base, address) => expect(() => toSocketUrl(base, address)).toThrow(RangeError));
});

it.each([
	['https://elsewhere.example/api/sql/session/a-1/?x=1', 'a-1'],
	['https://api.example/runs/1', undefined],
	['https://api.example/sql/session/', undefined],
	['https://api.example/sql/session/a/statements', undefined],
	['https://api.example/sql/session/%E0%A4%A', undefined],
])('finds the session that a redirect leads to, and nothing else: %s', (location, id) =>
	expect(parseSessionId({ text: '{"id": "b"}', location })).toBe(id),
);

it('has ended when it failed or is being shut down', () => {
	const over = [
		'PREPARE_FAILED',
		'INIT_FAILED',
		'DESTROY_FAILED',
		'DESTROY_REQUESTED',
		'DESTROYED',
	];
	const others = ['PENDING', 'READY', 'SOMETHING_NEW', 'INIT_FAILED_ONCE', 'NOT_DESTROYED'];
	expect([...over, ...others].filter(isOver)).toEqual(over);
});

it("says why in the service's words", () => {
	const session = { id: 's', status: 'INIT_FAILED' };
	expect(getReason({ ...session, message: ' no capacity ' })).toBe('no capacity');
	expect(getReason({ ...session, message: null, firstFailure: { message: 'first' } })).toBe(
		'first',
	);
	const events = [{ code: 'APP_FAILED', message: 'second' }, null, { code: 'X', message: 'third' }];
	expect(getReason({ ...session, events })).toBe('second');
	expect(getReason({ ...session, events: 'x' })).toBe('');
});
