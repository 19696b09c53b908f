import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';

import { suiteWithFileStore } from '../../../support/files';
import { suiteWithSql } from './query';

const useFileStore = suiteWithFileStore();
const { suite, run } = suiteWithSql();

it('a statement that changes something is executed once when its file cannot be stored', async () => {
	suite.sandbox.sql.answer(/^CALL/, { rows: [{ a: 1 }] });
	await useFileStore();
	const full = new Error('ENOSPC: no space left on device');
	jest.spyOn(Container.get(BinaryDataService), 'store').mockRejectedValue(full);
	const { error } = await run('CALL system.compact()', { output: 'csv' }, { maxTries: 3 });
	expect(error?.message).toContain('no space left');
	expect(suite.sandbox.sql.taken()).toHaveLength(1);
	expect(error?.description).toContain('The statement succeeded');
});
