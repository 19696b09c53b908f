/** The vendor's driver for Python, in a process of its own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline/promises';

import { ensurePython } from '../../test/vendor/environment';
import type { Sample } from '../measure';
import { peakBytes, resetPeak } from './memory';
import type { Target } from './service';

export interface Driver {
	/** Executes a statement: the time until its data frame is there, and until its rows are objects. */
	execute(statement: string, rows: number): Promise<{ frame: Sample; objects: Sample }>;
	stop(): Promise<void>;
}

export async function startDriver(target: Target): Promise<Driver> {
	const python = await ensurePython('clients');
	const child = spawn(python, [path.join(__dirname, 'driver.py')], {
		stdio: ['pipe', 'pipe', 'inherit'],
	});
	const ended = once(child, 'exit');
	const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
	const send = (value: unknown) => child.stdin.write(`${JSON.stringify(value)}\n`);
	send(target);
	return {
		async execute(statement, rows) {
			await resetPeak(child.pid as number);
			send(statement);
			const { value, done } = await lines.next();
			if (done) throw new Error('The driver has ended');
			const outcome = JSON.parse(value) as { rows: number; frame: Sample; objects: Sample };
			if (outcome.rows !== rows) throw new Error(`The driver read ${outcome.rows} of ${rows} rows`);
			const peak = await peakBytes(child.pid as number);
			return { frame: outcome.frame, objects: { ...outcome.objects, peak } };
		},
		async stop() {
			child.stdin.end();
			await ended;
		},
	};
}
