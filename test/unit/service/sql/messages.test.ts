import { parseMessage } from '../../../../nodes/Wherobots/service/sql/protocol';

const ID = 'e-1';
const read = (message: object) => parseMessage({ execution_id: ID, ...message }, ID);

describe('a message belongs to this execution', () => {
	it.each(['state_updated', 'execution_result', 'execution_progress', 'error'])(
		'when it names it: %s',
		(kind) => expect(read({ kind })).toBeDefined(),
	);

	it.each([undefined, null, '', 'e-2', 1])(
		'but not when it names another or none (%p)',
		(execution_id) => {
			expect(read({ kind: 'error', execution_id })).toBeUndefined();
			expect(read({ kind: 'state_updated', execution_id })).toBeUndefined();
		},
	);
});

describe('rows', () => {
	const rowsOf = (results: unknown) => read({ kind: 'execution_result', results });

	it.each([{}, { format: null, compression: null, geo_columns: null }, { format: ' ' }])(
		'are Arrow without geometries unless stated otherwise: %j',
		(more) =>
			expect(rowsOf({ result_bytes: Buffer.of(1), ...more })).toMatchObject({
				rows: { bytes: Buffer.of(1), format: 'arrow', compression: 'none', geoColumns: [] },
			}),
	);

	it.each([
		[],
		[{ a: 1 }],
		'x',
		{ format: 'json' },
		{ result_bytes: 5 },
		{ result_bytes: 'QVJST1cx' },
		{ result_bytes: [91, 93] },
	])('are unreadable in an unexpected form: %j', (results) =>
		expect(rowsOf(results)).toMatchObject({ rows: { bytes: new Uint8Array(), format: 'unknown' } }),
	);
});

it.each([
	[{ exception_on_failure: ' No ' }, 'No'],
	[{ exceptionOnFailure: 'No' }, 'No'],
	[{ exception_on_failure: 'No', exceptionOnFailure: 'Yes' }, 'No'],
	[{ exception_on_failure: ' ' }, undefined],
])('a failure has one of two names, and is not blank: %j', (named, failure) =>
	expect(read({ kind: 'execution_result', ...named })).toMatchObject({ failure }),
);
