/**
 * Breaks exports at every byte position that matters, in every kind of binary store, and watches
 * the process: an error in the middle of a transfer has to reject and nothing else. A process of its
 * own, because jest would catch what ends n8n, and because it has to hold on several Node versions.
 *
 * Prints one line of JSON: {@link FaultReport}.
 */
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { Container } from '@n8n/di';
import axios from 'axios';
import { BinaryDataConfig, BinaryDataService } from 'n8n-core';
import type { INodeExecutionData } from 'n8n-workflow';

import { TRANSFER_LIMITS } from '../../../../../nodes/Wherobots/transport/download/bodyReader';
import { liveInSandboxTime, runNode } from '../../../../engine/harness';
import { ManualClock, startSandbox, type Fault, type Sandbox } from '../../../../sandbox';
import { customRange } from '../../../../support/auditExport';

export interface FaultReport {
	node: string;
	runs: number;
	/** What did not go as it has to, one sentence each. */
	wrong: string[];
	/** Errors that nobody caught: each would have ended n8n. */
	uncaught: string[];
}

type Mode = 'memory' | 'filesystem' | 'buffering';

const range = customRange('2026-11-20T00:00:00Z', '2026-11-21T00:00:00Z');
const report: FaultReport = { node: process.version, runs: 0, wrong: [], uncaught: [] };
process.on('uncaughtException', (error) => report.uncaught.push(`exception: ${error.stack}`));
process.on('unhandledRejection', (error) => report.uncaught.push(`rejection: ${String(error)}`));

const service = Container.get(BinaryDataService);

/** Like the stores of a database, of S3 and of Azure: all of them collect the stream first. */
function bufferingStore() {
	const files: Buffer[] = [];
	return {
		files,
		async store(_: unknown, stream: NodeJS.ReadableStream) {
			const chunks: Buffer[] = [];
			await new Promise<void>((resolve, reject) => {
				stream.on('data', (chunk: Buffer) => chunks.push(chunk));
				stream.once('end', resolve);
				stream.once('error', reject);
				stream.once('close', () => reject(new Error('Stream closed before completing')));
			});
			files.push(Buffer.concat(chunks));
			return { fileId: String(files.length), fileSize: files.at(-1)?.length ?? 0 };
		},
	};
}

async function storedFiles(folder: string): Promise<string[]> {
	const entries = await readdir(folder, { recursive: true, withFileTypes: true });
	return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

async function shaOf(item: INodeExecutionData): Promise<string> {
	const binary = item.binary?.data;
	const bytes = binary?.id
		? await service.getAsBuffer(binary)
		: Buffer.from(binary?.data ?? '', 'base64');
	return createHash('sha256').update(bytes).digest('hex');
}

function recordEvents(sandbox: Sandbox): void {
	const at = '2026-11-20T10:00:00.123456Z';
	const names = ['plain', 'a "quoted", one', 'two\nlines', 'Zoë 東京 🗺', '', 'last'];
	for (const [index, name] of names.entries()) {
		sandbox.store.recordEvent({ event_id: `e${index}`, event_time: at, resource_name: name });
	}
}

/** Positions in the export, and whether a proper end there cannot be told from the real one. */
function positionsIn(text: Buffer): Array<{ bytes: number; looksWhole: boolean }> {
	const header = text.indexOf('\n') + 1;
	const firstRow = text.indexOf('\n', header) + 1;
	const inCharacter = text.indexOf('東') + 1;
	const inQuotes = text.indexOf('two\nlines') + 4;
	const quotedQuote = text.indexOf('""') + 1;
	return [
		{ bytes: 0, looksWhole: false },
		{ bytes: 1, looksWhole: false },
		{ bytes: header - 1, looksWhole: false },
		{ bytes: header, looksWhole: true },
		{ bytes: header + 1, looksWhole: false },
		{ bytes: firstRow - 1, looksWhole: false },
		{ bytes: firstRow, looksWhole: true },
		{ bytes: quotedQuote, looksWhole: false },
		{ bytes: inQuotes, looksWhole: false },
		{ bytes: inCharacter, looksWhole: false },
		{ bytes: text.length - 1, looksWhole: false },
	];
}

async function main(): Promise<void> {
	TRANSFER_LIMITS.stallMs = 120;
	const sandbox = await startSandbox({ clock: new ManualClock('2026-11-21T12:00:00Z') });
	recordEvents(sandbox);
	const { data: text } = await axios.get<Buffer>(`${sandbox.baseUrl}/audit-log/export`, {
		headers: { 'x-api-key': sandbox.credentials.admin.apiKey },
		params: { startTime: range.start, endTime: range.end },
		responseType: 'arraybuffer',
	});
	liveInSandboxTime(sandbox);
	const folder = await mkdtemp(path.join(tmpdir(), 'export-faults-'));
	const store = bufferingStore();
	Object.assign(Container.get(BinaryDataConfig), { mode: 'filesystem', localStoragePath: folder });
	await service.init();
	service.setManager('database', store as unknown as Parameters<typeof service.setManager>[1]);

	const shapes = {
		plain: {},
		'deduplicated and compressed': { dropDuplicates: true, compress: true },
		'JSON Lines': { format: 'jsonLines' },
	};
	const faults: Array<{ name: string; fault: Fault }> = [
		...positionsIn(text).flatMap(({ bytes, looksWhole }) => [
			...(['reset', 'close'] as const).map((how) => ({
				name: `${how} after ${bytes} bytes`,
				fault: { kind: 'cut', bytes, how } as Fault,
			})),
			...(looksWhole
				? []
				: [
						{
							name: `end after ${bytes} bytes`,
							fault: { kind: 'cut', bytes, how: 'end' } as Fault,
						},
					]),
		]),
		{ name: 'stall', fault: { kind: 'stall', bytes: 300 } },
		{ name: 'stall before the first byte', fault: { kind: 'stall', bytes: 0 } },
		{ name: 'web page', fault: { kind: 'html' } },
		{ name: 'JSON', fault: { kind: 'replace', body: '{"errors": []}' } },
		{ name: 'nothing', fault: { kind: 'replace', body: '' } },
	];

	for (const mode of ['memory', 'filesystem', 'buffering'] satisfies Mode[]) {
		Object.assign(service, {
			mode: { memory: 'default', filesystem: 'filesystem-v2', buffering: 'database' }[mode],
		});
		for (const [shape, options] of Object.entries(shapes)) {
			const run = async () => {
				report.runs++;
				return await runNode(sandbox, { ...range, options });
			};
			const whole = await run();
			const sha256 = whole.json[0]?.sha256;
			for (const { name, fault } of faults) {
				const what = `${mode}, ${shape}, ${name}`;
				const once = sandbox.faults.add({ endpoint: 'exportAuditLog', times: 1, fault });
				const repeated = await run();
				once.remove();
				if (once.hits !== 1 || repeated.json[0]?.sha256 !== sha256) {
					report.wrong.push(`${what}: not mended by a second try: ${repeated.error?.message}`);
				} else if (mode !== 'buffering' && (await shaOf(repeated.items[0])) !== sha256) {
					report.wrong.push(`${what}: what is stored is not what was counted`);
				}

				const stalls = fault.kind === 'stall';
				if (stalls && shape !== 'plain') continue;
				const stored = [(await storedFiles(folder)).length, store.files.length];
				const always = sandbox.faults.add({ endpoint: 'exportAuditLog', fault });
				const failed = await run();
				always.remove();
				if (!failed.error || failed.items.length > 0 || always.hits !== 5) {
					report.wrong.push(`${what}: ${always.hits} tries, ${failed.items.length} items`);
				}
				const after = [(await storedFiles(folder)).length, store.files.length];
				if (String(after) !== String(stored)) report.wrong.push(`${what}: left something`);
			}
		}
	}
	// Errors that arrive late arrive now.
	await new Promise((resolve) => setTimeout(resolve, 500));
	await sandbox.stop();
	await rm(folder, { recursive: true });
	console.log(JSON.stringify(report));
	process.exit(0);
}

main().catch((error: Error) => {
	console.error(error);
	process.exit(1);
});
