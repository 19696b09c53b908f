/** What the tests of a misbehaving storage share. */
import { randomBytes } from 'node:crypto';

import { runNode, type NodeResult } from '../../../engine/harness';
import type { Suite } from '../../../engine/harness/suite';
import type { StorageFault } from '../../../sandbox';
import { downloadNode, inMemory, uploadNode } from '../../../support/files';

export const bytes = randomBytes(400_000);
export const files = [inMemory(bytes, 'data.bin')];

/** Runs nodes against a storage that fails, and makes sure that its addresses stay secret. */
export function againstStorage(suite: Suite) {
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

	/** Nothing that is left behind holds a part of an address by which somebody could use it. */
	const expectSecrecy = ({ run }: NodeResult) => {
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
	};

	return {
		upload: async (fault: StorageFault, times?: number) => {
			const hits = suite.sandbox.presigned.addFault({ method: 'PUT', times, fault });
			const result = await runNode(suite.sandbox, uploadNode(), { files });
			expectSecrecy(result);
			return { ...result, hits };
		},
		download: async (fault: StorageFault, times?: number) => {
			suite.sandbox.presigned.addFault({ method: 'GET', times, fault });
			const result = await runNode(suite.sandbox, downloadNode('source.bin'));
			expectSecrecy(result);
			return result;
		},
	};
}
