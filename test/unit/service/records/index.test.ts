import { hasPart, isErrorBody } from '../../../../nodes/Wherobots/service/records';
import { simplifyApiKey } from '../../../../nodes/Wherobots/service/records/apiKey';
import {
	simplifyConnection,
	findVerificationProblem,
} from '../../../../nodes/Wherobots/service/records/cloudConnection';
import { AuditEvent } from '../../../../nodes/Wherobots/service/records/auditEvent';
import {
	flattenHierarchy,
	detectForeignKind,
	simplifyTable,
	getTableType,
} from '../../../../nodes/Wherobots/service/tables/catalogs';
import { simplifyPreset } from '../../../../nodes/Wherobots/actions/environmentOverridePreset';

const address = { catalogId: 'c', namespace: 'n', name: 't' };

describe('simplified records', () => {
	it.each([
		['an API key', simplifyApiKey],
		['an audit event', (raw: object) => new AuditEvent({ ...raw }).simplify()],
		['a connection', simplifyConnection],
		['a table', (table: object) => simplifyTable(address, { ...table }, 'a')],
		['a preset', simplifyPreset],
	])(
		'has at most ten fields, none of them undefined, even of an empty record: %s',
		(_, simplify) => {
			const record = simplify({});
			expect(Object.keys(record).length).toBeLessThanOrEqual(10);
			expect(Object.values(record)).not.toContain(undefined);
		},
	);

	it.each([
		[{ email: null, name: 'pipeline' }, 'pipeline'],
		[{ email: '', id: '7' }, '7'],
	])('of an API key names its owner: %j', (ownedBy, name) => {
		expect(simplifyApiKey({ ownedBy }).ownedBy).toBe(name);
	});

	it.each([{ schema: 5 }, { schema: { fields: 'x' } }, { refs: [] }, { statistics: null }])(
		'of a table bears a shape that was not foreseen: %j',
		(table) => {
			expect(simplifyTable(address, table as never, undefined)).toMatchObject({
				...address,
				sqlName: null,
				columns: [],
				currentSnapshotId: null,
				rowCount: null,
			});
		},
	);

	it('of a table names nested types', () => {
		const fields = [{ name: 'a', type: 'long' }, { name: 'b', type: { type: 'list' } }, null];
		const table = simplifyTable(address, { schema: { fields } }, 'a');
		expect(table.columns).toEqual(['a: long', 'b: list']);
	});
});

it.each([undefined, 'S3', null])('a connection bears bindings that are no list: %j', (bindings) => {
	expect(simplifyConnection({ bindings } as never).bindings).toEqual([]);
});

describe('catalogs', () => {
	it.each([
		['my lake', 'noaa', 'größe `mm`', '`my lake`.noaa.`größe ``mm```'],
		['org', '2026', '1st', 'org.`2026`.`1st`'],
	])('name a table for SQL: %s, %s, %s', (catalog, namespace, name, expected) => {
		const table = simplifyTable({ catalogId: 'c', namespace, name }, {}, catalog);
		expect(table.sqlName).toBe(expected);
	});

	it.each([
		[{ name: 'A', databases: [{ tables: [{ name: 't' }] }] }],
		[{ databases: [{ name: 'n', tables: [{ name: 't' }] }] }],
	])('give a table no name for SQL where a part of it is missing: %j', (catalog) => {
		const [table] = flattenHierarchy([catalog]);
		expect(table).toMatchObject({ catalogId: '', sqlName: null });
	});

	it('are foreign by their type, known or not', () => {
		expect(detectForeignKind('MANAGED')).toBeUndefined();
		expect(detectForeignKind(undefined)).toBeUndefined();
		expect(detectForeignKind(7)).toBeUndefined();
		expect(detectForeignKind('FOREIGN_DATABRICKS')).toBe('Databricks Unity Catalog');
		expect(detectForeignKind('FOREIGN_SOMETHING_NEW')).toBe('FOREIGN_SOMETHING_NEW');
		expect(getTableType({ name: 'x' })).toBe('TABLE');
	});
});

const ok = { status: 'OK' };
const denied = { status: 'DENIED' };
const failed = { status: 'FAILED' };

it.each([
	[{ roleAssumption: ok, bindingAccess: ok }, true, undefined],
	[{ roleAssumption: ok, bindingAccess: null }, true, 'The storage was not checked.'],
	[{ roleAssumption: ok, bindingAccess: denied }, true, 'Access to the storage is DENIED.'],
	[{ roleAssumption: { ...failed, reason: 'No trust' } }, true, 'No trust'],
	[{}, false, 'The role cannot be assumed.'],
])(
	'a verification of %j, with a binding proposed (%s), does not pass because: %s',
	(result, binding, why) => {
		expect(findVerificationProblem(result, binding)).toBe(why);
	},
);

describe('records', () => {
	it.each([
		[{ a: { b: [1, { c: 2, d: 3 }] } }, { a: { b: [1, { c: 2 }] } }, true],
		[{ a: [1, 2] }, { a: [1] }, false],
		[{ a: [1, 2] }, { a: [1, 3] }, false],
	])('%j holds all of %j: %s', (whole, part, expected) => {
		expect(hasPart(whole, part)).toBe(expected);
	});

	it.each([
		[{ requestId: 'q', errors: [{ message: 'a' }] }, true],
		[{ requestId: 'q', errors: [{}, 'text'] }, false],
		[{ requestId: 'q', errors: [] }, false],
		[{ errors: [{}] }, false],
		[null, false],
	])('%j is an error body: %s', (value, expected) => {
		expect(isErrorBody(value)).toBe(expected);
	});
});
