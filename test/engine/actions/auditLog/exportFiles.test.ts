import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';

import { exportDay } from '../../../support/auditExport';
import { until } from '../../../support/until';
import { startNode } from '../../harness';
import { suiteWithSandbox } from '../../harness/suite';

const suite = suiteWithSandbox({ seed: 'empty' });

describe("n8n's store", () => {
	it.each([
		[
			'is too large',
			'File exceeds the max size limit of 512 MB',
			/^Set 'Split Into' to smaller parts/,
		],
		['cannot be written', 'ENOSPC: no space left on device', /^n8n did not store the file\. Check/],
	])('says why a file %s', async (_, message, description) => {
		const store = Container.get(BinaryDataService);
		jest.spyOn(store, 'store').mockRejectedValue(new Error(message));
		const { error } = await suite.run(exportDay);
		expect(error?.message).toBe(message);
		expect(error?.description).toMatch(description);
		expect(error?.context).toMatchObject({ itemIndex: 0 });
	});
});

it('ends with the execution, also where the node continues after failures', async () => {
	const parameters = { ...exportDay, timeRange: 'lastDays', days: 3, split: 'day' };
	suite.fails('exportAuditLog', { kind: 'hang' }, { skip: 1 });
	const running = startNode(suite.sandbox, parameters, { onError: 'continueRegularOutput' });
	await until(() => suite.requests.of('exportAuditLog').length === 2);
	running.cancel();
	await running.result;
	expect(suite.requests.of('exportAuditLog')).toHaveLength(2);
});
