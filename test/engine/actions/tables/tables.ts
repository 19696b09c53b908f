/** Tables that the tests of their rows use. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { STATEMENT_LIMITS } from '../../../../nodes/Wherobots/useCases/sql/statement';
import type { FieldDraft } from '../../../sandbox/model/catalogs';
import { readStored } from '../../../sandbox/sql/stored';
import { type NodeOptions, type Suite, suiteWithSandbox } from '../../harness/suite';
import { at } from '../parameters';

/** One column of each kind. */
export const FIELDS: FieldDraft[] = [
	{ name: 'id', type: 'long', required: true },
	{ name: 'name', type: 'string' },
	{ name: 'size', type: 'double' },
	{ name: 'count', type: 'int' },
	{ name: 'day', type: 'date' },
	{ name: 'seen', type: 'timestamptz' },
	{ name: 'price', type: 'decimal(10, 2)' },
	{ name: 'tags', type: { type: 'list', 'element-id': 9, element: 'string' } },
	{ name: 'geometry', type: 'geometry(4326)' },
];

export const NAME = '`org_catalog`.`surveys`.`places`';

/** Sets up a sandbox with the table for each test, and a check of the protocol. */
export function suiteWithTable() {
	const suite = suiteWithSandbox();
	beforeEach(() => {
		const { catalogs } = suite.store;
		const catalog = catalogs.get('cat-org');
		if (!catalog) throw new Error('The demo data has no catalog cat-org');
		catalogs.addTable(catalog, 'surveys', {
			name: 'places',
			fields: FIELDS,
			snapshots: [
				{ id: '11', at: 1, addedRows: 1 },
				{ id: '12', parentId: '11', at: 2, addedRows: 1 },
				{ id: '13', parentId: '12', at: 3, addedRows: 0, operation: 'replace' },
				{ id: '9223372036854775807', parentId: '13', at: 4, addedRows: 1 },
			],
			tags: { '2026-11-18.0': '12', '20261118': '13' },
		});
	});
	afterEach(() => expect(suite.sql.violations).toEqual([]));
	const run = async (operation: string, more: INodeParameters = {}, options?: NodeOptions) => {
		const place = at('cat-org', 'surveys', 'places');
		return await suite.run({ resource: 'table', operation, ...place, ...more }, options);
	};
	/** Runs an operation that has to fail before a session is requested. Returns its error. */
	const refused = async (operation: string, more?: INodeParameters, options?: NodeOptions) => {
		const { error } = await run(operation, more, options);
		expect(error).toBeDefined();
		expect(suite.requests.of('createSqlSession')).toEqual([]);
		return error;
	};
	/** Adds a table with one geometry column, of this type, or more, and returns its place. */
	const shapes = (type: string, names = ['geometry']): INodeParameters => {
		const { catalogs } = suite.store;
		const fields = names.map((name) => ({ name, type }));
		catalogs.addTable(catalogs.get('cat-org') as never, 'surveys', { name: 'shapes', fields });
		return at('cat-org', 'surveys', 'shapes');
	};
	/** Cuts the connection before the session takes so many statements, whose outcome is then not known. */
	const lose = ({ skip, times = 1 }: { skip?: number; times?: number } = {}) => {
		jest.replaceProperty(STATEMENT_LIMITS, 'silenceMs', 50);
		const cut = { kind: 'cut', taken: false, code: 1011 } as const;
		suite.sql.addFault({ at: 'statement', skip, times, fault: cut });
	};
	return { suite, run, refused, shapes, lose };
}

/** Items with an ID from zero. */
export const numberedRows = (count: number, more: IDataObject = {}): Array<{ id: number }> =>
	Array.from({ length: count }, (_, id) => ({ id, ...more }));

/** What a statement writes: the texts of its rows, from itself or from the file that it reads. */
export function rowsOf({ store }: Suite, statement: string): Array<Array<string | null>> {
	const [, address] = /FROM text\.`([^`]*)`/.exec(statement) ?? [];
	if (address !== undefined) {
		const lines = String(readStored(store.storages, address)).trimEnd().split('\n');
		return lines.map((line) => JSON.parse(line) as string[]);
	}
	const [, values = ''] = /FROM VALUES \((.*)\) AS v\(/s.exec(statement) ?? [];
	return values.split('), (').map((row) =>
		row.split(', ').map((cell) => {
			const [, hex] = /^CAST\(X'(\w*)' AS STRING\)$/.exec(cell) ?? [];
			if (hex !== undefined) return Buffer.from(hex, 'hex').toString();
			return cell === 'NULL' ? null : cell.slice(1, -1);
		}),
	);
}

/** Takes statements, and keeps the IDs of the rows that are then in the table. */
export function takeInserts(suite: Suite): { ids: number[]; failOn?: number } {
	const state: { ids: number[]; failOn?: number } = { ids: [] };
	let statements = 0;
	suite.sql.answer(/^(INSERT|MERGE)/, (statement) => {
		if (++statements === state.failOn) return { error: '[CAST_INVALID_INPUT] No.' };
		const ids = rowsOf(suite, statement).map(([id]) => Number(id));
		return { changes: () => state.ids.push(...ids) };
	});
	return state;
}

/** The files that a staged upload has left. */
export const stagedFiles = ({ store }: Suite): string[] =>
	store.storages
		.all()
		.flatMap(({ files }) => [...files.keys()].filter((path) => path.includes('/staging/')));
