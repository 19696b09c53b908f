/** A storage that misbehaves: what comes of it, and that its addresses stay secret. */
import { randomBytes } from 'node:crypto';

import { TRANSFER_LIMITS } from '../../../../nodes/Wherobots/transport/download/bodyReader';
import { readResult, runNode, startNode, type NodeResult } from '../../../engine/harness';
import { suiteWithSandbox } from '../../../engine/harness/suite';
import type { StorageFault } from '../../../sandbox';
import { downloadNode, inMemory, sha256, uploadNode, useFileStore } from '../../../support/files';
import { until } from '../../../support/until';

const suite = suiteWithSandbox();
const bytes = randomBytes(400_000);
const files = [inMemory(bytes, 'data.bin')];
const stored = () => suite.sandbox.store.storages.get('stor-acme')?.files.get('jobs/data.bin');

const printed: string[] = [];
beforeEach(() => {
	printed.length = 0;
	suite.sandbox.store.storages.put('stor-acme', 'source.bin', bytes);
	for (const stream of [process.stdout, process.stderr]) {
		jest.spyOn(stream, 'write').mockImplementation((text) => {
			printed.push(String(text));
			return true;
		});
	}
});
afterEach(() => jest.restoreAllMocks());

const upload = async (fault: StorageFault, times?: number) => {
	const hits = suite.sandbox.presigned.addFault({ method: 'PUT', times, fault });
	const result = await runNode(suite.sandbox, uploadNode(), { files });
	expectSecrecy(result);
	return { ...result, hits };
};

const download = async (fault: StorageFault, times?: number) => {
	const hits = suite.sandbox.presigned.addFault({ method: 'GET', times, fault });
	const result = await runNode(suite.sandbox, downloadNode('source.bin'));
	expectSecrecy(result);
	return { ...result, hits };
};

/** Nothing that is left behind holds a part of an address by which somebody could use it. */
function expectSecrecy({ run }: NodeResult): void {
	const left = JSON.stringify(run.data.resultData, (_key, value: unknown) =>
		value instanceof Error
			? { ...value, message: value.message, stack: value.stack, cause: value.cause }
			: value,
	);
	const { secrets } = suite.sandbox.presigned;
	expect(secrets.length).toBeGreaterThan(0);
	for (const secret of secrets) {
		expect(left).not.toContain(secret);
		expect(printed.join('')).not.toContain(secret);
	}
	expect(left).not.toMatch(/X-Amz-|internal-key-name|internal-host/);
}

describe('an upload', () => {
	it.each<[string, StorageFault, number]>([
		['an address that has expired', { kind: 'refuse', status: 403, code: 'AccessDenied' }, 1],
		['a storage that is busy', { kind: 'refuse', status: 503, code: 'SlowDown' }, 3],
		['a connection that is cut', { kind: 'cut', bytes: 100_000 }, 2],
		['a response that is lost', { kind: 'lost' }, 1],
	])('survives %s, with a new address each time', async (_, fault, times) => {
		const { json, error, hits } = await upload(fault, times);
		expect(error).toBeUndefined();
		expect(json[0]).toMatchObject({ sha256: sha256(bytes), uploaded: true });
		expect(stored()?.sha256).toBe(sha256(bytes));
		expect(hits.hits).toBe(times);
		expect(suite.sandbox.requests.of('createUploadUrl')).toHaveLength(times + 1);
	});

	it.each<[string, StorageFault, RegExp, RegExp, number]>([
		[
			'refuses',
			{ kind: 'refuse', status: 403, code: 'AccessDenied' },
			/^The storage refused the file$/,
			/HTTP 403, AccessDenied from the storage\.\nThe address was new/,
			2,
		],
		[
			'finds the file too large',
			{ kind: 'refuse', status: 400, code: 'EntityTooLarge' },
			/refused/,
			/at most 5 GB/,
			2,
		],
		[
			'is out of order',
			{ kind: 'refuse', status: 500, code: 'InternalError' },
			/refused/,
			/HTTP 500, InternalError from the storage\.\nTry again later/,
			5,
		],
		[
			'cuts the connection',
			{ kind: 'cut', bytes: 1 },
			/connection to the storage was lost/,
			/again does no harm/,
			5,
		],
		[
			'redirects elsewhere',
			{
				kind: 'reply',
				status: 307,
				headers: { location: 'http://127.0.0.1:1/?X-Amz-Signature=abc' },
			},
			/redirects to another address/,
			/was not followed/,
			1,
		],
		[
			'speaks of something else',
			{ kind: 'reply', status: 418, body: '<html><Code>abc123</Code>' },
			/refused/,
			/^HTTP 418 from the storage\.$/,
			1,
		],
	])('fails when the storage %s, and says so', async (_, fault, message, description, tries) => {
		const { error, items, hits } = await upload(fault);
		expect(error?.message).toMatch(message);
		expect(error?.description).toMatch(description);
		expect(items).toEqual([]);
		expect(hits.hits).toBe(tries);
		expect(stored()).toBeUndefined();
	});

	it("survives a refusal that comes before a large file of n8n's store was sent", async () => {
		const store = await useFileStore();
		const large = randomBytes(8_000_000);
		const input = [await store.add(large, 'data.bin')];
		const fault = { kind: 'refuse', status: 403, code: 'AccessDenied', early: true } as const;
		suite.sandbox.presigned.addFault({ times: 1, fault });
		const { error } = await runNode(suite.sandbox, uploadNode(), { files: input });
		await store.dispose();
		expect(error).toBeUndefined();
		expect(stored()?.sha256).toBe(sha256(large));
	});

	it("fails when n8n's store gives less than it said", async () => {
		const store = await useFileStore();
		const { data } = (await store.add(Buffer.from('whole'), 'data.bin')) as never;
		const { Container } = jest.requireActual<typeof import('@n8n/di')>('@n8n/di');
		const { BinaryDataService } = jest.requireActual<typeof import('n8n-core')>('n8n-core');
		const service = Container.get(BinaryDataService);
		jest.spyOn(service, 'getMetadata').mockResolvedValue({ fileSize: 9 });
		const { error } = await runNode(suite.sandbox, uploadNode(), { files: [{ data }] });
		await store.dispose();
		expect(error?.message).toBe("The file could not be read from n8n's store");
		expect(error?.description).toContain('5 of 9 bytes came');
		expect(stored()).toBeUndefined();
	});

	it('stops at once when the execution is cancelled', async () => {
		const { sandbox } = suite;
		sandbox.presigned.addFault({ fault: { kind: 'stall', bytes: 100 } });
		const running = startNode(sandbox, uploadNode(), { files });
		await until(() => sandbox.presigned.requests.length > 0);
		const begun = performance.now();
		running.cancel();
		readResult(await running.result);
		expect(performance.now() - begun).toBeLessThan(5_000);
		expect(sandbox.presigned.requests).toHaveLength(1);
	});

	it('does not send to an address without https', async () => {
		const edit = () => ({
			destination: 's3://a/b',
			uploadUrl: 'http://storage.example/?sig=secret',
		});
		suite.sandbox.faults.add({ endpoint: 'createUploadUrl', fault: { kind: 'edit', edit } });
		const { error } = await runNode(suite.sandbox, uploadNode(), { files });
		expect(error?.message).toBe('The address for the file is not a safe one');
		expect(JSON.stringify(error)).not.toContain('storage.example');
	});

	it.each(['null', '{}', '{"destination": "", "uploadUrl": 5}'])(
		'fails when %s comes for the address',
		async (body) => {
			suite.sandbox.faults.add({ endpoint: 'createUploadUrl', fault: { kind: 'replace', body } });
			const { error } = await runNode(suite.sandbox, uploadNode(), { files });
			expect(error?.message).toBe('Wherobots Cloud returned no address for the upload');
		},
	);

	it('masks an address that comes where none belongs', async () => {
		const body = 'see https://s3.example/k?X-Amz-Expires=9&X-Amz-Signature=0123abcd for it';
		suite.sandbox.faults.add({ endpoint: 'createUploadUrl', fault: { kind: 'replace', body } });
		const { error } = await runNode(suite.sandbox, uploadNode(), { files });
		expect(error?.description).toContain('https://s3.example/k?***');
		expect(JSON.stringify(error)).not.toContain('0123abcd');
	});
});

describe('a download', () => {
	it.each<[string, StorageFault, number]>([
		['an address that has expired', { kind: 'refuse', status: 403, code: 'AccessDenied' }, 1],
		['a storage that is busy', { kind: 'refuse', status: 503, code: 'SlowDown' }, 3],
		['a transfer that is cut', { kind: 'cut', bytes: 100_000 }, 2],
	])('survives %s, with a new address each time', async (_, fault, times) => {
		const { json, error } = await download(fault, times);
		expect(error).toBeUndefined();
		expect(json[0]).toMatchObject({ bytes: bytes.length, sha256: sha256(bytes) });
		expect(suite.sandbox.requests.of('downloadFile')).toHaveLength(times + 1);
	});

	it.each<[string, StorageFault, RegExp, RegExp]>([
		['is always cut', { kind: 'cut', bytes: 100_000 }, /broke off/, /nothing of it was kept/],
		[
			'ends early without a length',
			{ kind: 'short', bytes: 100_000, framing: 'close' },
			/may not be complete/,
			/did not say how long/,
		],
		[
			'is refused',
			{ kind: 'refuse', status: 403, code: 'AccessDenied' },
			/did not give the file/,
			/HTTP 403, AccessDenied/,
		],
		[
			'is not in the storage',
			{ kind: 'refuse', status: 404, code: 'NoSuchKey' },
			/did not give the file/,
			/There is nothing at "source\.bin"/,
		],
		[
			'leads elsewhere',
			{ kind: 'reply', status: 302, headers: { location: 'https://evil.example/' } },
			/redirects to another address/,
			/not followed/,
		],
	])('fails when it %s', async (_, fault, message, description) => {
		const { error, items } = await download(fault);
		expect(error?.message).toMatch(message);
		expect(error?.description).toMatch(description);
		expect(items).toEqual([]);
	});

	it('fails when it stands still, after the time that it may', async () => {
		TRANSFER_LIMITS.stallMs = 150;
		const { error } = await download({ kind: 'stall', bytes: 1_000 });
		TRANSFER_LIMITS.stallMs = 60_000;
		expect(error?.message).toMatch(/stood still/);
	});

	it.each(['http://storage.example/?X-Amz-Signature=abcd', 'ftp://x/y'])(
		'does not follow a redirect to %s',
		async (location) => {
			const fault = { kind: 'status', status: 307, headers: { location } } as const;
			suite.sandbox.faults.add({ endpoint: 'downloadFile', fault });
			const { error } = await runNode(suite.sandbox, downloadNode('source.bin'));
			expect(error?.message).toBe('The address for the file is not a safe one');
		},
	);

	it('is an error when the redirect leads nowhere', async () => {
		const fault = { kind: 'status', status: 307 } as const;
		suite.sandbox.faults.add({ endpoint: 'downloadFile', fault });
		const { error } = await runNode(suite.sandbox, downloadNode('source.bin'));
		expect(error?.httpCode).toBe('307');
	});
});
