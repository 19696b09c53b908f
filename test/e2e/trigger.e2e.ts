import { DURABLE } from './n8n/environment';
import { startOwnN8n } from './suite/ownN8n';
import { TriggerRehearsal } from './suite/triggerRehearsal';

/** 200 changes and 200 events over four polls, during which n8n is killed twice. */
async function rehearse(name: string, env: Record<string, string>) {
	const rehearsal = await TriggerRehearsal.start(async () => await startOwnN8n(name, env));
	try {
		rehearsal.change(80);
		rehearsal.record(80);
		await rehearsal.caughtUp();

		rehearsal.change(0, { from: 'PENDING', to: 'RUNNING', count: 60 });
		rehearsal.record(60);
		await rehearsal.killDuring('listRuns');
		await rehearsal.caughtUp();

		rehearsal.change(0, { from: 'RUNNING', to: 'COMPLETED', count: 60 });
		rehearsal.record(60);
		await rehearsal.kill();
		await rehearsal.caughtUp();

		await rehearsal.deliveries.anotherPoll();
		const { expected, missing, wrong } = rehearsal.deliveries;
		const stateIsInWorkflows = await rehearsal.stateIsInWorkflows();
		return { expected: expected.size, missing, wrong, stateIsInWorkflows };
	} finally {
		await rehearsal.end();
	}
}

test('400 events arrive once while n8n is killed twice, on both of its engines', async () => {
	// Both to their ends, so that none is left running when the other one fails.
	const ends = await Promise.allSettled([
		rehearse('trigger-classic', {}),
		rehearse('trigger-durable', DURABLE),
	]);
	const [classic, durable] = ends.map((end) => {
		if (end.status === 'rejected') throw end.reason;
		return end.value;
	});

	// n8n's classic engine stores state and execution in two writes; a kill between them repeats one poll,
	// with the same ids. Here it was killed while a request was on the way.
	const outcome = { expected: 400, missing: [], wrong: [] };
	// Each engine was really the one that it was meant to be.
	expect(classic).toEqual({ ...outcome, stateIsInWorkflows: [true, true] });
	expect(durable).toEqual({ ...outcome, stateIsInWorkflows: [false, false] });
}, 900_000);
