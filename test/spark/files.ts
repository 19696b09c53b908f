/** What tests of files in a real Spark share: a sandbox whose statements Spark carries out. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { NodeOptions } from '../engine/harness';
import { at } from '../engine/actions/parameters';
import { suiteWithSandbox } from '../engine/harness/suite';
import type { SqlAnswer } from '../sandbox';
import type { FieldDraft } from '../sandbox/model/catalogs';
import { quote } from '../../nodes/Wherobots/service/tables/names';
import { by } from '../support/files';
import { suiteWithService } from './suite';

export const TYPES: Record<string, [string, FieldDraft['type']]> = {
	...{ id: ['BIGINT', 'long'], name: ['STRING', 'string'], flag: ['BOOLEAN', 'boolean'] },
	...{ whole: ['INT', 'int'], wide: ['DOUBLE', 'double'], single: ['FLOAT', 'float'] },
	...{ price: ['DECIMAL(10, 2)', 'decimal(10, 2)'], day: ['DATE', 'date'] },
	...{ seen: ['TIMESTAMP', 'timestamptz'], local: ['TIMESTAMP_NTZ', 'timestamp'] },
	...{ bytes: ['BINARY', 'binary'] },
};

/** Call it within `describeWithSpark`. */
export function suiteWithFiles() {
	const suite = suiteWithSandbox();
	const { outcomeOf, bucket } = suiteWithService();

	const spark = async (query: string): Promise<SqlAnswer> => {
		const { json, error } = await outcomeOf(query, { readOnly: false });
		const { cause } = (error?.context?.data ?? {}) as { cause?: string };
		if (error) return { error: cause ?? error.message };
		const hasRows = json.length > 0 && !('executionId' in json[0]);
		return { rows: hasRows ? json : [], columns: hasRows ? Object.keys(json[0]) : [] };
	};
	const rowsOf = async (query: string) => {
		const { rows, error } = await spark(query);
		expect(error).toBeUndefined();
		return rows as IDataObject[];
	};

	beforeEach(() => {
		const { catalogs, storages } = suite.store;
		storages.create({ id: 'stor', name: 'files', path: 's3://bucket' });
		catalogs.create({ id: 'ice', name: 'ice' });
		// The second, because the sandbox has an answer of its own to these.
		for (const statements of [/(?:)/, /^DESCRIBE /]) {
			suite.sql.answer(statements, (statement) => ({ later: async () => await spark(statement) }));
		}
	});

	afterEach(() => expect(suite.sql.violations).toEqual([]));

	const put = async (name: string, content: string | Buffer) => {
		const file = path.join(bucket(), name);
		await mkdir(path.dirname(file), { recursive: true });
		await writeFile(file, content);
	};

	let number = 0;
	/** For a name of its own. */
	const next = () => ++number;

	/** A table with these columns, in SQL and as the service describes them. */
	const create = async (
		fields: Record<string, [sql: string, type: FieldDraft['type']]>,
		more = '',
	) => {
		const name = `t${next()}`;
		const list = Object.entries(fields).map(([field, [sql]]) => `${quote(field)} ${sql}`);
		await rowsOf('CREATE NAMESPACE IF NOT EXISTS ice.db');
		await rowsOf(`CREATE TABLE ice.db.${name} (${list.join(', ')}) USING iceberg ${more}`);
		const described = Object.entries(fields).map(([field, [sql, type]]) => ({
			...{ name: field, type, required: sql.endsWith('NOT NULL') },
		}));
		const { catalogs } = suite.store;
		catalogs.addTable(catalogs.get('ice') as never, 'db', { name, fields: described });
		return name;
	};
	const load = async (
		table: string,
		files: string,
		more: INodeParameters = {},
		options?: NodeOptions,
	) =>
		await suite.run(
			{
				...{ resource: 'table', operation: 'loadFile', ...at('ice', 'db', table) },
				...{ storageId: by('id', 'stor'), files: by('path', files), ...more },
			},
			options,
		);
	const loaded = async (...given: Parameters<typeof load>) => {
		const { json, error } = await load(...given);
		expect([error?.message, error?.description]).toEqual([undefined, undefined]);
		return json[0];
	};
	const contentOf = async (table: string, order = 'id') =>
		await rowsOf(`SELECT * FROM ice.db.${table} ORDER BY ${order}`);

	/** Reads the folder into the storage, as if it were one. */
	const mirror = async () => {
		for (const entry of await readdir(bucket(), { recursive: true, withFileTypes: true })) {
			if (!entry.isFile() || entry.name.endsWith('.crc')) continue;
			const file = path.join(entry.parentPath, entry.name);
			suite.store.storages.put('stor', path.relative(bucket(), file), await readFile(file));
		}
	};
	const store = async (query: string, folder: string, more: INodeParameters = {}) => {
		suite.sql.answer(/^INSERT OVERWRITE DIRECTORY/, (statement) => ({
			later: async () => {
				const answer = await spark(statement);
				await mirror();
				return answer;
			},
		}));
		return await suite.run({
			...{ resource: 'sql', operation: 'executeQuery', query, readOnly: true, output: 'storage' },
			...{ storageId: by('id', 'stor'), targetFolder: by('path', folder), ...more },
		});
	};
	const stored = async (...given: Parameters<typeof store>) => {
		const { json, error } = await store(...given);
		expect([error?.message, error?.description]).toEqual([undefined, undefined]);
		return json;
	};

	const toBucket = (name: string) => path.join(bucket(), name);
	const reading = { rowsOf, put, next, create, load, loaded, contentOf, toBucket };
	return { suite, ...reading, store, stored };
}
