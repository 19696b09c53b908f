import {
	contains,
	isErrorBody,
	isRecord,
	simplifyApiKey,
} from '../../../nodes/Wherobots/service/records';
import {
	missingColumns,
	oldestKept,
	simplifyAuditEvent,
} from '../../../nodes/Wherobots/service/auditLog';

describe('records', () => {
	it.each([
		[{}, true],
		[{ a: 1 }, true],
		[[], false],
		[null, false],
		['a', false],
		[undefined, false],
	])('%j is one: %s', (value, expected) => {
		expect(isRecord(value)).toBe(expected);
	});

	it.each([
		[{ a: 1, b: 2 }, { a: 1 }, true],
		[{ a: 1 }, { a: 2 }, false],
		[{ a: { b: [1, { c: 2, d: 3 }] } }, { a: { b: [1, { c: 2 }] } }, true],
		[{ a: [1, 2] }, { a: [1] }, false],
		[{ a: [1, 2] }, { a: [1, 3] }, false],
		[{ a: [1] }, { a: [1, 2] }, false],
		[{ a: [2, 1] }, { a: [1, 2] }, false],
		[{ a: { 0: 1, length: 1 } }, { a: [1] }, false],
		[[1], { 0: 1 }, false],
		[null, { a: undefined }, false],
		['a', 'a', true],
		[undefined, {}, false],
	])('%j holds all of %j: %s', (whole, part, expected) => {
		expect(contains(whole, part)).toBe(expected);
	});

	it.each([
		[{ requestId: 'q', errors: [{ message: 'a' }] }, true],
		[{ requestId: 'q', errors: [{}, 'text'] }, false],
		[{ requestId: 'q', errors: [] }, false],
		[{ requestId: 'q', errors: 'text' }, false],
		[{ requestId: 'q' }, false],
		[{ errors: [{}] }, false],
		[null, false],
	])('%j is an error body: %s', (value, expected) => {
		expect(isErrorBody(value)).toBe(expected);
	});

	it('of the audit log have the ten fields of the export', () => {
		expect(simplifyAuditEvent({ event_id: '1', user_id: 0, client_chain: 'x' })).toEqual({
			event_id: '1',
			event_time: null,
			action_name: null,
			user_id: 0,
			user_name: null,
			user_agent: null,
			source_ip: null,
			resource_name: null,
			resource_id: null,
			compute_region: null,
		});
		expect(missingColumns(['event_time', 'x'])).toEqual(['event_id']);
		expect(missingColumns(['a'], ['a', 'b'])).toEqual(['b']);
		expect(oldestKept(Date.parse('2026-11-21T12:00:00Z') + 0.7)).toBe(
			Date.parse('2026-08-23T12:00:00Z') * 1000,
		);
	});

	it('of API keys keep what people need', () => {
		const record = {
			id: '1',
			name: 'ci',
			partialApiKey: 'wb_…1',
			valid: true,
			revoked: false,
			expiresAt: '2027-01-01T00:00:00Z',
			createTime: '2026-01-01T00:00:00Z',
			createdBy: { id: 'u1' },
			ownedBy: { email: 7, name: 'pipeline' },
			scopes: [],
		};
		expect(simplifyApiKey(record)).toEqual({
			id: '1',
			name: 'ci',
			preview: 'wb_…1',
			valid: true,
			revoked: false,
			expiresAt: '2027-01-01T00:00:00Z',
			createTime: '2026-01-01T00:00:00Z',
			createdBy: 'u1',
			ownedBy: 'pipeline',
		});
		expect(simplifyApiKey({ preview: 'a', partialApiKey: 'b' }).preview).toBe('a');
	});
});
