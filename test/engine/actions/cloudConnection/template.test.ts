import { TRANSFER_LIMITS } from '../../../../nodes/Wherobots/transport/download/bodyReader';
import { by } from '../../../support/files';
import { fileBytes } from '../../../support/auditExport';
import { runNode } from '../../harness';
import { suiteWithSandbox } from '../../harness/suite';

const suite = suiteWithSandbox();

const template = {
	resource: 'cloudConnection',
	operation: 'downloadTemplate',
	connectionId: by('id', 'conn-production'),
	stack: 'connection',
};

it('starts over when the transfer stalls', async () => {
	const { sandbox } = suite;
	jest.replaceProperty(TRANSFER_LIMITS, 'stallMs', 200);
	const fault = { kind: 'stall', bytes: 40 } as const;
	sandbox.faults.add({ endpoint: 'getConnectionTemplate', times: 1, fault });
	const { items } = await runNode(sandbox, template);
	expect(fileBytes(items[0]).toString()).toContain('AccessRole');
	expect(sandbox.requests.of('getConnectionTemplate')).toHaveLength(2);
});
