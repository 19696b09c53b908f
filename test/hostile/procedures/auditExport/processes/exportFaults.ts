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
import { parse } from 'csv-parse/sync';
import { BinaryDataConfig, BinaryDataService } from 'n8n-core';
import type { INodeExecutionData } from 'n8n-workflow';

import { TRANSFER_LIMITS } from '../../../../../nodes/Wherobots/transport/transfer';
import { liveInSandboxTime, runNode } from '../../../../engine/harness';
import { ManualClock, startSandbox, type Fault, type Sandbox } from '../../../../sandbox';
import { CSV_COLUMNS } from '../../../../sandbox/model/auditCsv';
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

const EVENTS = ['plain', 'a "quoted", one', 'two\nlines', 'Zoë 東京 🗺', '', 'last'];

function recordEvents(sandbox: Sandbox): void {
	const at = '2026-11-20T10:00:00.123456Z';
	for (const [index, name] of EVENTS.entries()) {
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
		...[0, 1, header - 10, header - 1, header, header + 1, firstRow - 1, firstRow],
		...[quotedQuote, inQuotes, inCharacter, text.length - 20, text.length - 1],
	].map((bytes) => ({ bytes, looksWhole: looksWhole(text.subarray(0, bytes)) }));
}

/** By a CSV library that the package does not use: all rows have all columns and no quote is open. */
function looksWhole(text: Buffer): boolean {
	try {
		const rows: string[][] = parse(text);
		return rows.length === 0 || rows[0].length === CSV_COLUMNS.length;
	} catch {
		return false;
	}
}

/** The two ways to end a CSV file that RFC 4180 allows. */
async function* habits(sandbox: Sandbox): AsyncGenerator<{ habit: string; text: Buffer }> {
	for (const exportLastLineEnd of [true, false]) {
		Object.assign(sandbox.variants, { exportLastLineEnd });
		const { data: text } = await axios.get<Buffer>(`${sandbox.baseUrl}/audit-log/export`, {
			headers: { 'x-api-key': sandbox.credentials.admin.apiKey },
			params: { startTime: range.start, endTime: range.end },
			responseType: 'arraybuffer',
		});
		yield { habit: exportLastLineEnd ? 'with a last line end' : 'without a last line end', text };
	}
}

async function main(): Promise<void> {
	TRANSFER_LIMITS.stallMs = 120;
	const sandbox = await startSandbox({ clock: new ManualClock('2026-11-21T12:00:00Z') });
	recordEvents(sandbox);
	liveInSandboxTime(sandbox);
	const folder = await mkdtemp(path.join(tmpdir(), 'export-faults-'));
	const store = bufferingStore();
	Object.assign(Container.get(BinaryDataConfig), { mode: 'filesystem', localStoragePath: folder });
	await service.init();
	service.setManager('database', store as unknown as Parameters<typeof service.setManager>[1]);

	for await (const { habit, text } of habits(sandbox)) {
		await breakEverywhere(sandbox, habit, faultsIn(text), folder, store);
	}
	// Errors that arrive late arrive now.
	await new Promise((resolve) => setTimeout(resolve, 500));
	await sandbox.stop();
	await rm(folder, { recursive: true });
	console.log(JSON.stringify(report));
	process.exit(0);
}

interface NamedFault {
	name: string;
	fault: Fault;
}

function faultsIn(text: Buffer): NamedFault[] {
	return [
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
	];
}

const SHAPES = {
	plain: {},
	'deduplicated and compressed': { removeDuplicates: true, compress: true },
	'JSON Lines': { format: 'jsonLines' },
};

async function breakEverywhere(
	sandbox: Sandbox,
	habit: string,
	faults: NamedFault[],
	folder: string,
	store: ReturnType<typeof bufferingStore>,
): Promise<void> {
	for (const mode of ['memory', 'filesystem', 'buffering'] satisfies Mode[]) {
		Object.assign(service, {
			mode: { memory: 'default', filesystem: 'filesystem-v2', buffering: 'database' }[mode],
		});
		for (const [shape, options] of Object.entries(SHAPES)) {
			const run = async () => {
				report.runs++;
				return await runNode(sandbox, { ...range, options });
			};
			const whole = await run();
			const sha256 = whole.json[0]?.sha256;
			if (whole.json[0]?.rows !== EVENTS.length) {
				report.wrong.push(`${habit}, ${mode}, ${shape}: ${whole.json[0]?.rows} rows`);
			}
			for (const { name, fault } of faults) {
				const what = `${habit}, ${mode}, ${shape}, ${name}`;
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
}

main().catch((error: Error) => {
	console.error(error);
	process.exit(1);
});
