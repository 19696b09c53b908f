import { startSandbox, type Sandbox } from '../../sandbox';
import { credentialsFor } from '../harness';
import { suiteWithTrigger, type ActiveTrigger } from '../harness/polling';

const RUNS = { event: 'runStatusChanged', statuses: [] };
const AUDIT = { event: 'auditEvent', searchTerm: '' };
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const { suite, pass, active } = suiteWithTrigger({});
const idsOf = (trigger: ActiveTrigger) => trigger.take().map(({ eventId }) => String(eventId));

/** Another organization's service at the address of the sandbox, with nothing in it. */
async function takenOver(): Promise<Sandbox> {
	const { baseUrl, clock: time } = suite;
	await suite.stop();
	return await startSandbox({ clock: time, port: Number(new URL(baseUrl).port), seed: 'empty' });
}

test('a log that is read by export costs one request a poll while nothing is written', async () => {
	suite.variants.auditQuery = 'missing';
	const trigger = await active(AUDIT);
	suite.store.recordEvent();
	for (let hour = 0; hour < 72; hour++) {
		pass(60 * MINUTE);
		suite.requests.clear();
		await trigger.poll();
		expect(suite.requests.count).toBe(1);
	}
	expect(idsOf(trigger)).toHaveLength(1);
});

test('after a burst, a standstill costs one request a poll most of the time', async () => {
	const trigger = await active(AUDIT);
	for (let made = 0; made < 450; made++) suite.store.recordEvent();
	pass(2 * MINUTE);
	suite.requests.clear();
	for (let polls = 0; polls < 60; polls++) {
		await trigger.poll();
		pass(10 * MINUTE);
	}
	expect(idsOf(trigger)).toHaveLength(450);
	// Six requests for each full reading: a few at first, then one an hour.
	expect(suite.requests.count).toBeLessThan(60 + 16 * 6);
});

describe.each([
	['runs', RUNS],
	['events', AUDIT],
])('the credential of a trigger for %s', (what, parameters) => {
	const make = () =>
		what === 'runs'
			? `run/${suite.store.createRun({ status: 'PENDING' }).id}/PENDING`
			: `audit/${suite.store.recordEvent().event_id}`;

	test('may change to one of the same organization: nothing is lost, and nothing old comes', async () => {
		const trigger = await active(parameters);
		make();
		pass(2 * MINUTE);
		await trigger.poll();
		trigger.take();
		const next = make();
		pass(2 * MINUTE);
		const { bearerToken } = suite.credentials.admin;
		trigger.credentials = {
			...credentialsFor(suite.sandbox),
			authentication: 'bearerToken',
			bearerToken,
		};
		await trigger.restart();
		await trigger.poll();
		expect(idsOf(trigger)).toEqual([next]);
	});

	test('may change to one of another organization: what happened there since is reported', async () => {
		const trigger = await active(parameters);
		for (let minute = 0; minute < 5; minute++) {
			make();
			pass();
			await trigger.poll();
		}
		trigger.take();
		const other = await takenOver();
		const makeThere = (minutesAgo: number) => {
			const time = suite.clock.now() - minutesAgo * MINUTE;
			const id = `other-${minutesAgo}`;
			if (what === 'events') other.store.recordEvent({ event_id: id, event_time: time });
			else other.store.createRun({ id, createTime: time, status: 'RUNNING' });
			return what === 'events' ? `audit/${id}` : `run/${id}/RUNNING`;
		};
		const [since] = [2, 30, 300, 12_000].map(makeThere);
		const { bearerToken } = other.credentials.admin;
		// As in n8n, where the trigger reads the credential with each poll.
		Object.assign(trigger.credentials, { authentication: 'bearerToken', bearerToken });
		pass(2 * MINUTE);
		await trigger.poll();
		expect(idsOf(trigger)).toEqual([since]);
		const later = makeThere(0);
		pass(2 * MINUTE);
		await trigger.poll();
		await other.stop();
		expect(idsOf(trigger)).toEqual([later]);
		expect(trigger.errors).toEqual([]);
	});
});

test('a list of active runs that fails every time is a note, and each run is read by itself', async () => {
	const { store } = suite;
	const ids = ['one', 'two'].map(
		(name) => store.createRun({ name, status: 'RUNNING', createTime: '2026-03-01T08:00:00Z' }).id,
	);
	const trigger = await active(RUNS);
	const refused = { errors: [{ code: 'X', message: 'try again' }], items: [] };
	// Only the list of active runs has any.
	suite.edits('listRuns', (page: { items: unknown[] }) => (page.items.length > 0 ? refused : page));
	pass(HOUR);
	await trigger.poll();
	for (const id of ids) store.moveRun(id, 'COMPLETED');
	pass(HOUR);
	await trigger.poll();
	expect(trigger.errors).toEqual([]);
	expect(idsOf(trigger).sort()).toEqual(ids.map((id) => `run/${id}/COMPLETED`).sort());
});
