import { createInterface } from 'node:readline';

import { execa } from 'execa';
import { type Page } from 'playwright-core';

import { REPOSITORY } from '../../../scripts/lib/paths';
import { until } from '../../support/until';
import { Editor } from './editor';

/** The package is built, n8n starts, and the first workflow of the demo runs. */
const DEMO_MS = 600_000;

/** What `npm run demo` prints, by the name in front of it. */
const TOLD = ['Open', 'Email', 'Password', 'API Key', 'Base URL'] as const;

export interface Demo {
	told: Record<(typeof TOLD)[number], string>;
	/** Everything that it has printed so far. */
	printed(): string;
	/** A browser in which somebody has signed in with what it printed. */
	editor: Editor;
	page: Page;
	stop(): Promise<void>;
}

/** The demo, for all tests of a file. What is on the screen after each is kept among the artifacts. */
export function useDemo(): () => Demo {
	let demo: Demo | undefined;
	beforeAll(async () => {
		demo = await startDemo();
	}, DEMO_MS + 10_000);
	afterEach(async () => {
		await demo?.editor.screenshot(`demo - ${expect.getState().currentTestName?.slice(0, 60)}`);
	});
	afterAll(async () => await demo?.stop());
	return () => {
		if (!demo) throw new Error('The demo is there while tests run');
		return demo;
	};
}

/** Starts the demo as a person does, and signs in. */
async function startDemo(): Promise<Demo> {
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
		// The login is printed as soon as n8n is there, and again when all is.
		const read = (name: string) =>
			[...printed.matchAll(new RegExp(`^${name} +(\\S+)`, 'gm'))].at(-1)?.[1];
		await until(() => TOLD.every(read), { timeoutMs: DEMO_MS, everyMs: 200 });
		const told = Object.fromEntries(TOLD.map((name) => [name, read(name)])) as Demo['told'];
		const editor = await Editor.open(told.Open);
		const stop = async () => {
			await editor.close();
			await end();
		};
		const { page } = editor;
		await page.goto(told.Open);
		await page.getByLabel('Email').fill(told.Email);
		await page.getByLabel('Password').fill(told.Password);
		await page.getByRole('button', { name: 'Sign in' }).click();
		await page.getByText('Submit and wait').first().waitFor();
		return { told, printed: () => printed, editor, page, stop };
	} catch (error) {
		await end();
		throw error;
	}
}
