import { CancelledError } from '../../../../nodes/Wherobots/transport/clock';
import type { PresignedResult } from '../../../../nodes/Wherobots/transport/files/presigned';
import { requestStorage } from '../../../../nodes/Wherobots/transport/files/storage';
import { tryAgain } from '../../../../nodes/Wherobots/transport/pace/pacedRequest';
import { fileClient } from '../../../support/fileClient';
import { suiteInVirtualTime } from '../../../support/virtualTime';

const time = suiteInVirtualTime();

const accepted: PresignedResult = { kind: 'stream', status: 200, headers: {}, body: {} as never };
const refused = (status: number): PresignedResult => ({ kind: 'refused', status });
const lost = (code: string): PresignedResult => ({ kind: 'network', code });

/** Attempts that end like this one after the other, the last again and again, and when they began. */
function attempting(results: PresignedResult[], signal?: AbortSignal) {
	const begun: number[] = [];
	const { client } = fileClient({ presigned: results, signal });
	const work = async (attempt: number) => {
		begun.push(time.now);
		return await requestStorage(client, { method: 'PUT', address: 'https://b/put' }, attempt);
	};
	return { done: time.during(tryAgain(client, work)), begun };
}

it('is done with the first that is accepted', async () => {
	const { done, begun } = attempting([accepted]);
	expect(await done).toBe(accepted);
	expect(begun).toHaveLength(1);
});

it.each([400, 403])('asks soon for one other address after %i, and no third', async (status) => {
	const again = attempting([refused(status), accepted]);
	expect(await again.done).toBe(accepted);
	expect(again.begun).toHaveLength(2);
	expect(again.begun[1]).toBeLessThanOrEqual(1_500);
	const never = attempting([refused(status)]);
	await expect(never.done).rejects.toMatchObject({
		message: 'The storage rejected the file',
		httpCode: String(status),
	});
	expect(never.begun).toHaveLength(2);
});

it.each([refused(503), lost('ECONNRESET')])(
	'waits and continues after %j, five times',
	async (result) => {
		const temporary = attempting([result, result, accepted]);
		expect(await temporary.done).toBe(accepted);
		expect(temporary.begun).toHaveLength(3);
		expect(temporary.begun[1]).toBeGreaterThan(temporary.begun[0]);
		const lasting = attempting([result]);
		await expect(lasting.done).rejects.toMatchObject({ context: { failure: { temporary: true } } });
		expect(lasting.begun).toHaveLength(5);
	},
);

it('counts its waits against the time that the retry policy allows', async () => {
	const random = jest.spyOn(Math, 'random').mockReturnValue(0.999);
	const { done, begun } = attempting([refused(429)]);
	await expect(done).rejects.toMatchObject({ httpCode: '429' });
	expect(begun[begun.length - 1] - begun[0]).toBeLessThanOrEqual(60_000);
	expect(begun[begun.length - 1] - begun[0]).toBeGreaterThan(1_000);
	random.mockRestore();
});

it.each([refused(404), lost('INSECURE_ADDRESS'), lost('SSRF_BLOCKED')])(
	'does not go on after %j',
	async (result) => {
		const { done, begun } = attempting([result]);
		await expect(done).rejects.toMatchObject({ name: 'NodeApiError' });
		expect(begun).toHaveLength(1);
	},
);

it('ends with the execution, during an attempt and between two', async () => {
	for (const status of [403, 404, 503]) {
		const aborted = attempting([refused(status)], AbortSignal.abort());
		await expect(aborted.done).rejects.toBeInstanceOf(CancelledError);
		expect(aborted.begun).toHaveLength(1);
	}
	const stop = new AbortController();
	const waiting = attempting([refused(503)], stop.signal);
	setImmediate(() => stop.abort());
	await expect(waiting.done).rejects.toBeInstanceOf(CancelledError);
	const succeeded = attempting([accepted], AbortSignal.abort());
	expect(await succeeded.done).toBe(accepted);
});
