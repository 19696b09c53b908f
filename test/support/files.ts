import { readdir } from 'node:fs/promises';
import { createHash } from 'node:crypto';

import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';
import type { IBinaryData, IBinaryKeyData, INodeParameters } from 'n8n-workflow';

import { ORGANIZATION_ID } from '../sandbox/model/people';
import { makeFolder } from './folder';

/** The folder in managed storage that the organization shares. */
export const SHARED = `${ORGANIZATION_ID}/data/shared`;

/** An ID or path in a field with a picker. */
export const by = (mode: 'id' | 'name' | 'path' | 'list', value: string) => ({
	__rl: true,
	mode,
	value,
});

/** Parameters of an operation on a file of the organization's own storage. */
export const fileNode = (operation: string, more: INodeParameters = {}): INodeParameters => ({
	resource: 'file',
	operation,
	storageId: by('id', 'stor-acme'),
	...more,
});

export const uploadNode = (more: INodeParameters = {}) =>
	fileNode('upload', { folder: by('path', 'jobs'), ...more });

export const downloadNode = (file: string, more: INodeParameters = {}) =>
	fileNode('download', { filePath: by('path', file), ...more });

export const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex');

/** A file as an input item has it where a node has made it without n8n's store. */
export function inMemory(bytes: string | Buffer, fileName: string | undefined): IBinaryKeyData {
	const data = Buffer.from(bytes).toString('base64');
	return { data: { data, mimeType: 'text/plain', fileName } };
}

export interface FileStore {
	/** Puts a file there, as a node before would. */
	add(bytes: Buffer, fileName: string): Promise<IBinaryKeyData>;
	read(file: IBinaryData): Promise<Buffer>;
	/** The names of all that is in it. */
	names(): Promise<string[]>;
}

/** For tests that give n8n's engine a file store of their own: it has the usual one again after each of them. */
export function suiteWithFileStore(): () => Promise<FileStore> {
	let takeAway: (() => Promise<void>) | undefined;
	afterEach(async () => {
		await takeAway?.();
		takeAway = undefined;
	});
	return async () => {
		const { store, dispose } = await makeFileStore();
		takeAway = dispose;
		return store;
	};
}

/** n8n's file store in a folder of its own, until it is disposed of. */
export async function makeFileStore() {
	const { folder, remove } = await makeFolder('files');
	const ignore = { error: () => undefined, warn: () => undefined };
	const config = { mode: 'filesystem', localStoragePath: folder, signingSecret: '' };
	const service = new BinaryDataService(config as never, ignore as never, ignore as never);
	await service.init();
	const before = Container.get(BinaryDataService);
	Container.set(BinaryDataService, service);
	const location = { type: 'execution', workflowId: 'w1', executionId: '1' } as const;
	const store: FileStore = {
		add: async (bytes, fileName) => ({
			data: await service.store(location, bytes, { data: '', mimeType: 'text/plain', fileName }),
		}),
		read: async (file) => await service.getAsBuffer(file),
		names: async () => {
			const entries = await readdir(folder, { recursive: true, withFileTypes: true });
			return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
		},
	};
	const dispose = async () => {
		Container.set(BinaryDataService, before);
		await remove();
	};
	return { store, dispose };
}
