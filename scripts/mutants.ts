/**
 * Plants mistakes in the package, one at a time, and checks whether the tests notice: `npm run mutants`.
 * Stryker does it, as stryker.config.mjs says.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';

import { execa } from 'execa';

import { REPOSITORY } from './lib/paths';

const HELP = `Usage: npm run mutants [-- files]

Without files: 80 lines of each room, those of the next night begin where these end. With files, perhaps
with a range of lines, only there: npm run mutants -- nodes/Wherobots/map/scene.ts:1-40

Fails when less than 85 % of the mistakes in a room, or in the files, are noticed.
`;

/** Without npx between, which would keep it running when its time is up. */
const STRYKER = path.join(REPOSITORY, 'node_modules/@stryker-mutator/core/bin/stryker.js');

const BLOCK_LINES = 40;
const BLOCKS_A_NIGHT = 2;

/** When no further room is begun; then, how long one may take: usually it takes a minute or two. */
const LAST_START_MS = 15 * 60_000;
const ROOM_MS = 8 * 60_000;

const ROOM = /^nodes\/Wherobots\/(trigger\/core|\w+)\/.*\.ts$/;

/** All code by room, such as `transport`, cut into `file:1-40`, `file:41-80`, … */
async function blocksByRoom(): Promise<Map<string, string[]>> {
	const { stdout } = await execa('git', ['ls-files', 'nodes'], { cwd: REPOSITORY });
	const rooms = new Map<string, string[]>();
	for (const file of stdout.split('\n')) {
		const room = ROOM.exec(file)?.[1];
		if (room === undefined || file.endsWith('.d.ts')) continue;
		const lines = readFileSync(path.join(REPOSITORY, file), 'utf8').split('\n').length;
		const blocks = rooms.get(room) ?? [];
		for (let line = 1; line <= lines; line += BLOCK_LINES) {
			blocks.push(`${file}:${line}-${Math.min(lines, line + BLOCK_LINES - 1)}`);
		}
		rooms.set(room, blocks);
	}
	return rooms;
}

/** @returns whether enough mistakes were noticed, within so many milliseconds */
async function plant(name: string, mutate: string[], timeout?: number): Promise<boolean> {
	process.stdout.write(`\n${name}: ${mutate.join(' ')}\n`);
	const env = {
		N8N_NODES_WHEROBOTS_MUTATE: mutate.join(','),
		// The suite has more histories of the trigger, which take too long for each mistake.
		TRIGGER_HISTORIES: '15',
	};
	const options = { cwd: REPOSITORY, env, timeout, stdio: 'inherit', reject: false } as const;
	const { exitCode, timedOut } = await execa('node', [STRYKER, 'run'], options);
	if (timedOut)
		process.stdout.write(`${name} took longer than ${Number(timeout) / 60_000} minutes\n`);
	return exitCode === 0;
}

async function plantSample(): Promise<void> {
	const started = Date.now();
	const day = Math.floor(started / 86_400_000);
	const failed: string[] = [];
	const left: string[] = [];
	const rooms = [...(await blocksByRoom())];
	// Another room begins each night, so that none is always left out.
	for (const [at] of rooms.entries()) {
		const [room, blocks] = rooms[(day + at) % rooms.length];
		const wanted = Array.from(
			{ length: BLOCKS_A_NIGHT },
			(_, index) => blocks[(day * BLOCKS_A_NIGHT + index) % blocks.length],
		);
		if (Date.now() - started > LAST_START_MS) left.push(room);
		else if (!(await plant(room, wanted, ROOM_MS))) failed.push(room);
	}
	if (left.length > 0) process.stdout.write(`No time was left for ${left.join(', ')}\n`);
	if (failed.length > 0) {
		throw new Error(`Too few mistakes are noticed, or not in time, in ${failed.join(', ')}`);
	}
}

async function main(): Promise<void> {
	const { values, positionals } = parseArgs({
		options: { help: { type: 'boolean' } },
		allowPositionals: true,
	});
	if (values.help) return void process.stdout.write(HELP);
	if (positionals.length === 0) return await plantSample();
	if (!(await plant('These files', positionals))) process.exitCode = 1;
}

main().catch((error: unknown) => {
	process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
	process.exitCode = 1;
});
