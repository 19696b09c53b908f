import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';

import {
	type Browser,
	type BrowserContext,
	chromium,
	type Locator,
	type Page,
	selectors,
} from 'playwright-core';

import { until } from '../../support/until';
import { ARTIFACTS } from './ownN8n';

/** Where Chromium usually is; `CHROMIUM` in the environment names another place. */
const CHROMIUMS = [
	...['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'],
	'/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
	'/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** What keeps it off the network, and alive as root without a graphics card. */
const FLAGS = [
	...['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-quic'],
	...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
];

/** On a busy machine, the editor takes a minute or two to open. */
const PATIENCE_MS = 200_000;

/** n8n's editor in a browser, signed in. */
export class Editor {
	private constructor(
		private readonly browser: Browser,
		private readonly context: BrowserContext,
		readonly page: Page,
		private readonly origin: string,
	) {}

	/**
	 * @param url address of n8n
	 * @param sessionCookie `name=value`, as the API got it at its sign-in; without it nobody is signed in
	 * @param viewport size of the page in pixels
	 */
	static async open(
		url: string,
		sessionCookie?: string,
		viewport = { width: 1440, height: 900 },
	): Promise<Editor> {
		// n8n's spelling of it.
		selectors.setTestIdAttribute('data-test-id');
		const browser = await chromium.launch({ executablePath: findChromium(), args: FLAGS });
		const context = await browser.newContext({ viewport, colorScheme: 'light' });
		if (sessionCookie) {
			const [name, value] = sessionCookie.split('=', 2);
			await context.addCookies([{ name, value, url }]);
		}
		context.setDefaultTimeout(PATIENCE_MS);
		const page = await context.newPage();
		return new Editor(browser, context, page, new URL(url).origin);
	}

	/** Searches the panel of a new workflow as people do, and chooses what is offered. */
	async addNode(searched: string, offered: string): Promise<void> {
		const { page } = this;
		await page.goto(`${this.origin}/workflow/new`);
		await page.getByTestId('node-creator-plus-button').click();
		await page.getByPlaceholder('Search nodes...').fill(searched);
		await page.getByText('Wherobots', { exact: true }).first().click();
		// Triggers are open in a workflow that has none, and actions are not.
		if (!offered.startsWith('On ')) await page.getByText(/^Actions \(/).click();
		await page.getByText(offered, { exact: true }).click();
		await page.getByText('Parameters', { exact: true }).waitFor();
	}

	/** Opens the form of a node of a workflow. */
	async openNode(workflowId: string, name: string): Promise<void> {
		await this.page.goto(`${this.origin}/workflow/${workflowId}`);
		await this.page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`).dblclick();
		await this.page.getByTestId('node-parameters').waitFor();
	}

	/** The label of a field, with an asterisk when the field is required. */
	label(text: string): Locator {
		return this.page
			.locator('label')
			.getByText(new RegExp(`^${text}[ *]*$`))
			.last();
	}

	/** What is typed into, under a label. */
	field(label: string): Locator {
		return this.label(label).locator('xpath=following::*[self::input or self::textarea][1]');
	}

	/** Presses the switch under a label. */
	async press(label: string): Promise<void> {
		await this.label(label).scrollIntoViewIfNeeded();
		const place = await this.label(label).boundingBox();
		await this.page.mouse.click(place!.x + 12, place!.y + place!.height + 14);
	}

	/** Chooses an entry of the list under a label. */
	async choose(label: string, entry: string): Promise<void> {
		await until(async () => await this.field(label).isEnabled(), {
			timeoutMs: PATIENCE_MS,
			everyMs: 200,
		});
		// A list whose entries n8n had to load is covered by what shows the chosen ones.
		await this.field(label).click({ force: true });
		await this.page.getByRole('option', { name: entry }).click();
	}

	/** Picks an entry of a picker, by the name of its parameter. */
	async pick(name: string, entry: string): Promise<void> {
		await this.page.getByTestId(`resource-locator-${name}`).getByTestId('rlc-input').click();
		await this.page.getByTestId('rlc-item').filter({ hasText: entry }).first().click();
	}

	/** Enters an expression in place of the value under a label. */
	async enterExpression(label: string, expression: string): Promise<void> {
		const { page } = this;
		await this.label(label).hover();
		const row = this.label(label).locator('xpath=ancestor::label');
		await row.getByTestId('radio-button-expression').click();
		await page.getByTestId('inline-expression-editor-input').locator('.cm-content').last().click();
		await this.type(expression);
	}

	/** Replaces what is in the editor of code that has the focus. */
	async type(text: string): Promise<void> {
		await this.page.keyboard.press('ControlOrMeta+A');
		await this.page.keyboard.insertText(text);
		// n8n takes it over once nobody has typed for a moment, and shows nothing of that.
		await this.page.waitForTimeout(1_500);
	}

	/** Adds an option to the form. */
	async addOption(name: string): Promise<void> {
		await this.page.getByPlaceholder('Add option').click();
		await this.page.getByRole('option', { name, exact: true }).click();
	}

	/** Keeps what is on the screen as `NAME.png` among the artifacts. */
	async screenshot(name: string): Promise<void> {
		const folder = path.join(ARTIFACTS, 'screenshots');
		await mkdir(folder, { recursive: true });
		await this.page.screenshot({ path: path.join(folder, `${name}.png`) });
	}

	async close(): Promise<void> {
		await this.context.close();
		await this.browser.close();
	}
}

function findChromium(): string {
	const places = [process.env.CHROMIUM, ...CHROMIUMS];
	const found = places.find((place) => place && existsSync(place));
	if (found) return found;
	throw new Error('Chromium is missing: on Debian `apt-get install chromium`, or set CHROMIUM');
}
