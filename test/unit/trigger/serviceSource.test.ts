import type { INode } from 'n8n-workflow';

import { toNodeApiError } from '../../../nodes/Wherobots/transport/failures/errors';
import { auditSource, runSource } from '../../../nodes/Wherobots/trigger/serviceSource';
import type { AuditWay } from '../../../nodes/Wherobots/trigger/core/state';
import { clientWith } from '../../support/clientWith';
import { refusal } from '../../support/fileClient';
import { ago, dated, exported, HOUR, NOW, page, suiteAtOneTime } from './oneTime';

const time = suiteAtOneTime();

const missing = { statusCode: 404 };

describe('a page cursor', () => {
	const mayBeTheReason = async (error: unknown) =>
		runSource((await clientWith()).client, {}).maySuspectCursor(error);

	it.each([400, 404, 500])('may be the reason for a response with status %s', async (status) => {
		expect(await mayBeTheReason(refusal(status))).toBe(true);
	});

	it.each([401, 403, 429])('is not the reason for a response with status %s', async (status) => {
		expect(await mayBeTheReason(refusal(status))).toBe(false);
	});

	it('is not the reason where there is no response', async () => {
		const noResponse = { message: 'No response', description: '' };
		expect(await mayBeTheReason(toNodeApiError({} as INode, noResponse))).toBe(false);
		expect(await mayBeTheReason(new Error('Something else'))).toBe(false);
	});
});

describe('a run that is asked for', () => {
	const ask = async (reply: object) => {
		const { client } = await clientWith({ replies: [reply] });
		return await runSource(client, {}).run('r');
	};

	it('is what the service shows, or none when the service has none', async () => {
		expect(await ask({ body: '{"id":"r"}' })).toEqual({ id: 'r' });
		expect(await ask(missing)).toBeUndefined();
	});

	it('is not taken for one that is gone when the service refuses to show it', async () => {
		await expect(ask({ statusCode: 403 })).rejects.toMatchObject({ httpCode: '403' });
	});
});

describe('the audit log', () => {
	const base = 'https://api.cloud.wherobots.com/';
	const start = (NOW - HOUR) * 1000;

	it.each([
		['query', 'export', [missing, exported(), exported()]],
		['export', 'query', [missing, missing, page(), page()]],
	] as Array<[AuditWay, AuditWay, object[]]>)(
		'that cannot be read by %s is read by %s from then on',
		async (way, other, replies) => {
			const { client, sent } = await clientWith({ replies });
			const source = auditSource(client, undefined, way);
			expect(await source.events({ start })).toMatchObject({ items: [] });
			expect(source.way).toBe(other);
			await source.events({ start });
			expect(sent).toHaveLength(replies.length);
			const [last, again] = sent.map(({ url }) => url.replace(base, '')).reverse();
			expect(last).toBe(again);
		},
	);
});

describe('an export', () => {
	it('gives every event, also those that no id tells apart', async () => {
		const events = [
			{ event_time: ago(1), resource_name: 'a' },
			{ event_time: ago(1), resource_name: 'b' },
			{ event_id: 'x', event_time: ago(1) },
			{ event_id: 'x', event_time: ago(1) },
		];
		const { client } = await clientWith({ replies: [exported(events)] });
		const { items } = await auditSource(client, undefined, 'export').events({ start: 0 });
		expect(items.map(({ event_id, resource_name }) => [event_id, resource_name])).toEqual([
			[null, 'a'],
			[null, 'b'],
			['x', null],
			['x', null],
		]);
	});

	it.each([
		[1, true],
		[2, undefined],
		[3, undefined],
		[undefined, undefined],
	])('of two events, of which %s are wanted, says that it was cut: %s', async (most, isCut) => {
		const events = [{ event_id: 'a' }, { event_id: 'b' }];
		const { client } = await clientWith({ replies: [exported(events)] });
		const source = auditSource(client, undefined, 'export');
		const cut = await source.events({ start: 0 }, undefined, most);
		expect(cut.isCut).toBe(isCut);
		expect(cut.items.slice(0, most)).toMatchObject(events.slice(0, most));
	});

	interface Reading {
		start?: string;
		end?: string;
		/** What n8n's clock shows. */
		n8n?: string;
		/** Whether a response has told the service's time before, and whether those of exports do. */
		isKnown?: boolean;
		tells?: boolean;
	}

	const micros = (text: string) => Date.parse(`2026-11-21T${text}Z`) * 1000;

	it.each<[string, Reading, string[]]>([
		["of all there is ends after the service's time", { isKnown: true }, ['12:00:01']],
		["has an hour to spare while only n8n's clock is known", { tells: false }, ['13:00:01']],
		['is not repeated when that was enough', {}, ['13:00:01']],
		['is not repeated when that was just enough', { n8n: '11:00:00' }, ['12:00:01']],
		[
			"is repeated when n8n's clock is far behind",
			{ n8n: '10:00:00', start: '09:00:00' },
			['11:00:01', '12:00:01'],
		],
		['ends after a start that is now', { isKnown: true, start: '12:00:01' }, ['13:00:01']],
		['ends after a start in the future', { isKnown: true, start: '12:30:00' }, ['13:30:00']],
		[
			"ends after a start that n8n's clock has not reached",
			{ tells: false, start: '14:00:00' },
			['15:00:00'],
		],
		['ends where it has to, and comes once', { end: '11:30:00' }, ['11:30:00']],
		['ends there by a known time, too', { end: '11:30:00', isKnown: true }, ['11:30:00']],
	])('%s', async (_, { start = '11:00:00', end, isKnown, ...reading }, ends) => {
		const { n8n = '12:00:00', tells = true } = reading;
		const headers = tells ? dated : {};
		// More is refused, so that a reading without an end fails.
		const exports = [exported([], headers), exported([], headers), { statusCode: 403 }];
		const { client, sent } = await clientWith({
			replies: isKnown ? [page(), ...exports] : exports,
		});
		time.now = micros(n8n) / 1000;
		if (isKnown) await client.call('listRuns');
		const range = { start: micros(start), end: end && micros(end) };
		await auditSource(client, undefined, 'export').events(range as never);
		const asked = sent.map(({ qs }) => qs as Record<string, string>).slice(isKnown ? 1 : 0);
		expect(asked.map(({ startTime }) => startTime)).toEqual(ends.map(() => `2026-11-21T${start}Z`));
		expect(asked.map(({ endTime }) => endTime)).toEqual(ends.map((at) => `2026-11-21T${at}Z`));
	});
});
