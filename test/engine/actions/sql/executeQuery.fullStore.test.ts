import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';

import { ok } from '../../harness';
import { suiteWithFileStore } from '../../../support/files';
import { cities, SELECT, suiteWithSql } from './query';

const useFileStore = suiteWithFileStore();
const { suite, run } = suiteWithSql();

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
	const options = { drawMap: true };
	const { items, hints } = ok(await run(SELECT, { output: 'geojson', options }, { maxTries: 3 }));
	const note = 'It could not be drawn: ENOSPC: no space left on device';
	expect(items[0].json.map).toEqual({ drawn: 0, note });
	expect(hints).toContain(`Map: ${note}`);
	expect(Object.keys(items[0].binary ?? {})).toEqual(['data']);
	expect(suite.sql.taken()).toHaveLength(1);
});
