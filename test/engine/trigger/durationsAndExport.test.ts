import { createAuditSource } from '../../../nodes/Wherobots/trigger/auditEvent';
import { suiteWithTrigger } from '../harness/polling';
import { withClient } from '../harness/probe';

const { suite, pass, active } = suiteWithTrigger({});

test('a run that takes too long is reported once for each limit, at one request a poll', async () => {
	const parameters = { event: 'runExceededDuration', pendingMinutes: 5, runningMinutes: 10 };
	const { store, requests } = suite;
	const trigger = await active(parameters);
	const { id } = store.createRun({ status: 'PENDING', name: 'nightly-stuck' });
	store.createRun({ plan: { pendingMs: 1_000, runningMs: 2_000 } });
	for (let minute = 0; minute < 40; minute++) {
		pass();
		if (minute === 12) store.moveRun(id, 'RUNNING');
		requests.clear();
		await trigger.poll();
		expect(requests.count).toBe(1);
		if (minute === 15) await trigger.restart();
	}
	expect(trigger.take()).toMatchObject([
		{
			eventId: `run/${id}/exceeded/PENDING`,
			minutes: 11,
			limitMinutes: 5,
			exceededStatus: 'PENDING',
		},
		{ eventId: `run/${id}/exceeded/RUNNING`, limitMinutes: 10, name: 'nightly-stuck' },
	]);
});

test.each([
	[5, 0, ['PENDING']],
	[0, 10, ['RUNNING']],
	[5, 10, ['RUNNING', 'PENDING']],
])(
	'a limit of 0 does not count, and what lasts longest comes first: pending %i, running %i',
	async (pendingMinutes, runningMinutes, expected) => {
		const parameters = { event: 'runExceededDuration', pendingMinutes, runningMinutes };
		const trigger = await active(parameters);
		suite.store.createRun({ status: 'RUNNING' });
		pass();
		suite.store.createRun({ status: 'PENDING' });
		pass(20 * 60_000);
		await trigger.poll();
		expect(trigger.take().map(({ exceededStatus }) => exceededStatus)).toEqual(expected);
	},
);

test('limits that are both 0 are refused, naming both fields', async () => {
	const parameters = { event: 'runExceededDuration', pendingMinutes: 0, runningMinutes: 0 };
	await expect(active(parameters)).rejects.toThrow(
		/^'Running Longer Than \(Minutes\)' must be above 0, because 'Pending Longer Than \(Minutes\)' and 'Multiple of Usual Duration' are 0$/,
	);
});

test('a cursor that is refused as if the endpoint did not exist does not make the trigger switch to the export', async () => {
	const { faults, requests } = suite;
	faults.add({ endpoint: 'queryAuditLog', fault: { kind: 'status', status: 404 } });
	const range = { start: Date.parse('2026-03-01T11:00:00Z') * 1000 };
	await withClient(suite.sandbox, async (client) => {
		const source = createAuditSource(client, undefined);
		await expect(source.records(range, 'old')).rejects.toMatchObject({ httpCode: '404' });
		expect(source.way).toBe('query');
		expect(requests.of('exportAuditLog')).toEqual([]);
		await source.records(range);
		expect(source.way).toBe('export');
	});
});
