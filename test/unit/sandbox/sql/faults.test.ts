import { setTimeout as sleep } from 'node:timers/promises';

import { until } from '../../../support/until';
import type { SqlFaultRule } from '../../../sandbox';
import { closeAll } from '../open';
import { openSession } from './socket';

afterEach(closeAll);

/** A session in which `q` has one row, with a fault. */
async function openWith(rule: SqlFaultRule) {
	const opened = await openSession();
	opened.sandbox.sql.answer('q', { rows: [{ n: 1 }] });
	opened.sandbox.sql.addFault(rule);
	return opened;
}

describe('faults of a handshake', () => {
	it.each([401, 403, 404, 503])('refuse with %i', async (status) => {
		const { connect } = await openWith({ at: 'handshake', fault: { kind: 'refuse', status } });
		expect(await connect()).toBe(status);
	});

	it('redirect, or reset the connection', async () => {
		const headers = { location: 'http://127.0.0.1:1/' };
		const { connect, sandbox } = await openWith({
			at: 'handshake',
			times: 1,
			fault: { kind: 'refuse', status: 302, headers },
		});
		expect(await connect()).toBe(302);
		sandbox.sql.addFault({ at: 'handshake', fault: { kind: 'reset' } });
		expect(await connect()).toBe(0);
		expect(sandbox.sql.handshakes).toHaveLength(3);
	});

	it('leave it unanswered until the sandbox is stopped', async () => {
		const { connect, sandbox } = await openWith({ at: 'handshake', fault: { kind: 'hang' } });
		const connecting = connect();
		await until(() => sandbox.sql.handshakes.length === 2);
		const soon = sleep(50, 'open');
		expect(await Promise.race([connecting, soon])).toBe('open');
		await sandbox.stop();
		expect(await connecting).toBe(0);
	});
});

describe('faults of a statement', () => {
	it.each([true, false])(
		'end the connection, whether or not the statement was taken: %s',
		async (taken) => {
			const { client, sandbox } = await openWith({
				at: 'statement',
				fault: { kind: 'cut', taken },
			});
			client.execute('q');
			await until(() => client.code !== undefined);
			expect(client.code).toBe(1006);
			expect(sandbox.sql.taken().map(({ state }) => state)).toEqual(taken ? ['succeeded'] : []);
		},
	);

	it('report nothing about it until asked', async () => {
		const { client, sandbox } = await openWith({ at: 'statement', fault: { kind: 'silence' } });
		const id = client.execute('q');
		await until(() => sandbox.sql.taken()[0]?.state === 'succeeded');
		client.retrieve(id);
		expect(await client.next('execution_result')).toMatchObject({ state: 'succeeded' });
		expect(client.messages).toEqual([]);
	});

	it('kill the session', async () => {
		const { client, admin, id } = await openWith({
			at: 'statement',
			fault: { kind: 'die', message: 'The driver ran out of memory' },
		});
		client.execute('q');
		await until(() => client.code !== undefined);
		expect(client.code).toBe(1001);
		expect((await admin.get(`/sql/session/${id}`)).data).toMatchObject({
			status: 'DESTROYED',
			message: 'The driver ran out of memory',
		});
	});

	it('forget it', async () => {
		const { client } = await openWith({ at: 'retrieve', fault: { kind: 'forgotten' } });
		const id = client.execute('q');
		await client.next('state_updated', 'succeeded');
		client.retrieve(id);
		expect(await client.next('error')).toMatchObject({ message: 'Execution not found' });
	});
});

describe('faults of a frame', () => {
	const read = async (rule: SqlFaultRule) => {
		const opened = await openWith(rule);
		const { client } = opened;
		const id = client.execute('q');
		await client.next('state_updated', 'running');
		return { ...opened, execution: id };
	};

	it('lose it', async () => {
		const { client, execution } = await read({
			at: 'frame',
			state: 'succeeded',
			frame: 'state_updated',
			fault: { kind: 'lose' },
		});
		client.retrieve(execution);
		await client.next('execution_result');
		expect(client.messages).toEqual([]);
	});

	it.each([
		['before', 1006, 0],
		['inside', 1006, 0],
		['after', 1011, 1],
	] as const)('end the connection %s it', async (where, code, count) => {
		const { client } = await read({
			at: 'frame',
			state: 'succeeded',
			fault: { kind: 'cut', where },
		});
		await until(() => client.code !== undefined);
		expect([client.code, client.messages.length]).toEqual([code, count]);
	});

	it('change it, and send others in its place', async () => {
		const { client, sandbox, execution } = await read({
			at: 'frame',
			frame: 'execution_result',
			times: 1,
			fault: { kind: 'shorten', bytes: 3 },
		});
		const retrieve = async () => {
			client.retrieve(execution);
			const { results, ...other } = await client.next('execution_result');
			return [String((results as { result_bytes: Buffer }).result_bytes), other] as const;
		};
		expect((await retrieve())[0]).toBe('[{"');
		const frame = { at: 'frame', frame: 'execution_result', times: 1 } as const;
		sandbox.sql.addFault({ ...frame, fault: { kind: 'pad', bytes: 2_000 } });
		expect((await retrieve())[1]).toHaveProperty('padding.length', 2_000);
		sandbox.sql.addFault({ ...frame, fault: { kind: 'edit', edit: () => ({ kind: 'odd' }) } });
		client.retrieve(execution);
		expect(await client.next('odd')).toEqual({ kind: 'odd' });
		sandbox.sql.addFault({ ...frame, fault: { kind: 'replace', data: '{"kind":"text"}' } });
		client.retrieve(execution);
		expect(await client.next('text')).toEqual({ kind: 'text' });
	});
});
