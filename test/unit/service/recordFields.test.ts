import { contains, isErrorBody, isRecord } from '../../../nodes/Wherobots/service/records';

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
});
