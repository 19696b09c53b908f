import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';

import { customRange, exportDay } from '../../../support/auditExport';
import { until } from '../../../support/until';
import { startNode } from '../../harness';
import { suiteWithSandbox } from '../../harness/suite';

const suite = suiteWithSandbox({ seed: 'empty' });

describe('a large range', () => {
	it('may have ten thousand files', async () => {
		const start = Date.parse('2025-09-01T00:00:00Z');
		const hour = (index: number) => new Date(start + index * 3_600_000).toISOString();
		const skipExisting = Array.from(
			{ length: 10_000 },
			(_, index) => `${hour(index).slice(0, 13).replace('T', '-')}.csv`,
		);
		const { json } = await suite.succeeds({
			...customRange(hour(0), hour(10_000)),
			split: 'hour',
			options: { fileName: '{year}-{month}-{day}-{hour}', skipExisting },
		});
		expect(json).toEqual([]);
		expect(suite.sandbox.requests.count).toBe(0);
	});
});

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
	const { sandbox } = suite;
	const parameters = { ...exportDay, timeRange: 'lastDays', days: 3, split: 'day' };
	suite.fails('exportAuditLog', { kind: 'hang' }, { skip: 1 });
	const running = startNode(sandbox, parameters, { onError: 'continueRegularOutput' });
	await until(() => sandbox.requests.of('exportAuditLog').length === 2);
	running.cancel();
	await running.result;
	expect(sandbox.requests.of('exportAuditLog')).toHaveLength(2);
});
