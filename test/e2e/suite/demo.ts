import { createInterface } from 'node:readline';

import { execa } from 'execa';

import { REPOSITORY } from '../../../scripts/lib/paths';
import { until } from '../../support/until';
import { Editor } from './editor';

/** n8n starts, and the first workflow of the demo runs. */
export const DEMO_MS = 240_000;

/** What `npm run demo` prints, by the name in front of it. */
const TOLD = ['Open', 'E-mail', 'Password', 'API Key', 'Base URL'] as const;
export type Told = Record<(typeof TOLD)[number], string>;

export interface Demo {
	told: Told;
	/** Everything that it has printed so far. */
	printed(): string;
	/** A browser in which somebody has signed in with what it printed. */
	editor: Editor;
	stop(): Promise<void>;
}

/** Starts the demo as a person does, and signs in. */
export async function startDemo(): Promise<Demo> {
	// A group of its own, as a terminal makes one: Ctrl-C reaches all of it.
	const demo = execa('npm', ['run', 'demo'], { cwd: REPOSITORY, stdin: 'ignore', detached: true });
	const end = async () => {
		process.kill(-demo.pid!, 'SIGINT');
		await demo.catch(() => undefined);
	};
	try {
		let printed = '';
		createInterface({ input: demo.stdout! }).on('line', (line) => {
			printed += `${line}\n`;
		});
		const read = (name: string) => new RegExp(`^${name} +(\\S+)`, 'm').exec(printed)?.[1];
		await until(() => TOLD.every(read), { timeoutMs: DEMO_MS, everyMs: 200 });
		const told = Object.fromEntries(TOLD.map((name) => [name, read(name)])) as Told;
		const editor = await Editor.open(told.Open);
		const stop = async () => {
			await editor.close();
			await end();
		};
		const { page } = editor;
		await page.goto(told.Open);
		await page.getByLabel('Email').fill(told['E-mail']);
		await page.getByLabel('Password').fill(told.Password);
		await page.getByRole('button', { name: 'Sign in' }).click();
		await page.getByText('Submit and wait').first().waitFor();
		return { told, printed: () => printed, editor, stop };
	} catch (error) {
		await end();
		throw error;
	}
}
