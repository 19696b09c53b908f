/** What the tests of a misbehaving storage share. */
import { randomBytes } from 'node:crypto';

import type { NodeResult } from '../../../engine/harness';
import { everythingIn } from '../../../engine/harness/probe';
import type { Suite } from '../../../engine/harness/suite';
import type { StorageFault } from '../../../sandbox';
import { downloadNode, inMemory, uploadNode } from '../../../support/files';
import { suiteWithPrinted } from '../../printed';

export const bytes = randomBytes(400_000);
export const files = [inMemory(bytes, 'data.bin')];

export const refuse = (status: number, code: string) => ({ kind: 'refuse', status, code }) as const;

export const reply = (
	status: number,
	more: { headers?: Record<string, string>; body?: string | Buffer },
) => ({ kind: 'reply', status, ...more }) as const;

/** Runs nodes against a storage that fails, and makes sure that its addresses stay secret. */
export function againstStorage(suite: Suite) {
	const printed = suiteWithPrinted();
	beforeEach(() => {
		suite.store.storages.put('stor-acme', 'source.bin', bytes);
	});

	/** Nothing that is left behind holds a part of an address by which somebody could use it. */
	const expectSecrecy = ({ run }: NodeResult) => {
		const left = everythingIn(run.data.resultData) + printed.join('');
		const { secrets } = suite.presigned;
		expect(secrets.length).toBeGreaterThan(0);
		for (const secret of secrets) expect(left).not.toContain(secret);
		expect(left).not.toMatch(/X-Amz-|internal-key-name|internal-host/);
	};

	return {
		upload: async (fault: StorageFault, times?: number) => {
			const hits = suite.presigned.addFault({ method: 'PUT', times, fault });
			const result = await suite.run(uploadNode(), { files });
			expectSecrecy(result);
			return { ...result, hits };
		},
		download: async (fault: StorageFault, times?: number) => {
			suite.presigned.addFault({ method: 'GET', times, fault });
			const result = await suite.run(downloadNode('source.bin'));
			expectSecrecy(result);
			return result;
		},
	};
}
