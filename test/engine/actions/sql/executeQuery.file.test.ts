import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';

import { ok, textOf } from '../../harness';
import { sha256, suiteWithFileStore } from '../../../support/files';
import { SELECT, cities, point, suiteWithSql } from './query';

const useFileStore = suiteWithFileStore();
const { suite, run } = suiteWithSql();

describe('a file', () => {
	const rows = [
		{ id: 1, name: 'a "b"\nc' },
		{ id: 2, name: '' },
	];
	const csv = 'id,name\n1,"a ""b""\nc"\n2,""\n';

	it('has all rows, exactly as the session wrote it', async () => {
		suite.sql.answer(SELECT, { rows });
		const store = await useFileStore();
		const { items, hints } = ok(await run(SELECT, { output: 'csv' }));
		expect(hints).toEqual([]);
		const [{ id, sessionId, store: asked }] = suite.sql.taken();
		expect(asked).toEqual({
			format: 'csv',
			single: 'true',
			generate_presigned_url: 'true',
			options: {
				...{ header: 'true', escape: '"' },
				...{ ignoreLeadingWhiteSpace: 'false', ignoreTrailingWhiteSpace: 'false' },
				timestampFormat: "yyyy-MM-dd'T'HH:mm:ss.SSSSSSXXX",
				timestampNTZFormat: "yyyy-MM-dd'T'HH:mm:ss.SSSSSS",
			},
		});
		const [{ json, binary }] = items;
		expect(json).toEqual({
			...{ executionId: id, sessionId, state: 'succeeded', fileName: 'query-result.csv' },
			...{ bytes: csv.length, sha256: sha256(csv) },
		});
		expect(binary?.data).toMatchObject({ fileName: 'query-result.csv', mimeType: 'text/csv' });
		expect(String(await store.read(binary?.data as never))).toBe(csv);
	});

	it('may be GeoJSON, with a name of its own', async () => {
		suite.sql.answer(SELECT, { rows: cities, geometryColumns: ['at'] });
		const options = { fileName: 'cities.geojson', binaryPropertyName: 'map' };
		const { items } = ok(await run(SELECT, { output: 'geojson', options }));
		const file = items[0].binary?.map;
		expect(file).toMatchObject({ fileName: 'cities.geojson', mimeType: 'application/geo+json' });
		const [first] = textOf(items[0], 'map').split('\n');
		expect(JSON.parse(first)).toMatchObject({ type: 'Feature', geometry: point });
		// Properties that are null are kept.
		expect(suite.sql.taken()[0].store?.options).toMatchObject({ ignoreNullFields: 'false' });
	});

	it('may be Parquet', async () => {
		suite.sql.answer(SELECT, { rows: cities, geometryColumns: ['at'] });
		const { items } = ok(await run(SELECT, { output: 'parquet' }));
		expect(items[0].binary?.data).toMatchObject({
			fileName: 'query-result.parquet',
			mimeType: 'application/vnd.apache.parquet',
		});
		expect(suite.sql.taken()[0].store?.format).toBe('parquet');
	});

	it('comes with a map when one is wanted, which is empty when there are no rows', async () => {
		suite.sql.answer(SELECT, { rows: cities, geometryColumns: ['at'] });
		suite.sql.answer('SELECT 0', { columns: ['a'], rows: [] });
		const drawn = { output: 'geojson', drawMap: true };
		const { items } = await run(SELECT, drawn);
		expect(items[0].json).toMatchObject({ state: 'succeeded', map: { features: 2, drawn: 1 } });
		// In the order of the editor, where the picture has to be seen first.
		expect(Object.keys(items[0].binary ?? {})).toEqual(['map', 'mapPage', 'mapSvg', 'data']);
		expect(textOf(items[0], 'mapSvg')).toContain('>cities</text>');
		const empty = await run('SELECT 0', drawn);
		expect(empty.items[0].json).toMatchObject({ rows: 0, map: { features: 0 } });
		expect(empty.items[0].binary?.map.mimeType).toBe('image/png');
		expect(empty.hints).toEqual(['The result has no rows, so there is no file in data.']);
	});

	it.each(['map', 'mapPage', 'mapSvg'])('is not put where its map goes: %s', async (field) => {
		const options = { binaryPropertyName: field };
		expect((await run(SELECT, { output: 'geojson', drawMap: true, options })).error?.message).toBe(
			`'Put Output File in Field' must not be ${field}: 'Draw Map' fills map, mapPage and mapSvg`,
		);
		expect(suite.requests.of('createSqlSession')).toEqual([]);
	});

	it('that cannot be downloaded does not lead to changes that are made twice', async () => {
		suite.sql.answer('CALL system.compact()', { rows });
		suite.presigned.addFault({
			method: 'GET',
			fault: { kind: 'refuse', status: 403, code: 'AccessDenied' },
		});
		const { error } = await run('CALL system.compact()', { output: 'csv' }, { maxTries: 2 });
		expect(error?.description).toContain('Its changes have been made: do not run it again.');
		expect(error?.description).toContain(`Execution ID: ${suite.sql.taken()[0].id}`);
		expect(suite.sql.taken()).toHaveLength(1);
	});
});

it('a statement that changes something is executed once when its file cannot be stored', async () => {
	suite.sql.answer(/^CALL/, { rows: [{ a: 1 }] });
	await useFileStore();
	const full = new Error('ENOSPC: no space left on device');
	jest.spyOn(Container.get(BinaryDataService), 'store').mockRejectedValue(full);
	const { error } = await run('CALL system.compact()', { output: 'csv' }, { maxTries: 3 });
	expect(error?.message).toContain('no space left');
	expect(suite.sql.taken()).toHaveLength(1);
	expect(error?.description).toContain('The statement succeeded');
});

it('a map that cannot be stored costs neither the file nor a second statement', async () => {
	suite.sql.answer(SELECT, { rows: cities, geometryColumns: ['at'] });
	await useFileStore();
	const service = Container.get(BinaryDataService);
	const { store } = service;
	jest
		.spyOn(service, 'store')
		.mockImplementation(async (place, bytes, file) =>
			file.fileName === 'map.png'
				? await Promise.reject(new Error('ENOSPC: no space left on device'))
				: await store.call(service, place, bytes, file),
		);
	const drawn = { output: 'geojson', drawMap: true };
	const { items, hints } = ok(await run(SELECT, drawn, { maxTries: 3 }));
	const note = 'It could not be drawn: ENOSPC: no space left on device';
	expect(items[0].json.map).toEqual({ drawn: 0, note });
	expect(hints).toContain(`Map: ${note}`);
	expect(Object.keys(items[0].binary ?? {})).toEqual(['data']);
	expect(suite.sql.taken()).toHaveLength(1);
});
