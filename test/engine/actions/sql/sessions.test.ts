import { by } from '../../../support/files';
import { suiteWithSandbox } from '../../harness/suite';
import { aSession } from '../cases.sql';
import { operationsOf } from '../parameters';

const suite = suiteWithSandbox();
const node = operationsOf('sqlSession');

it('are listed, for one region or all', async () => {
	const id = aSession(suite.sandbox);
	suite.clock.advance(60_000);
	const { json, hints } = await suite.succeeds(node('getAll'));
	expect(json).toMatchObject([
		{ id, status: 'READY', sessionType: 'multi', region: 'aws-us-west-2' },
	]);
	expect(hints).toEqual([]);
	const filters = { region: by('list', 'aws-eu-west-1') };
	const none = await suite.run(node('getAll', { filters }));
	expect(none.json).toEqual([]);
	expect(none.hints).toEqual([expect.stringContaining("'Region' aws-eu-west-1")]);
});
