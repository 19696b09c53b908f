import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';

import { type Browser, type BrowserContext, chromium, type Page, selectors } from 'playwright-core';

import { ARTIFACTS } from './artifacts';

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

const PATIENCE_MS = 30_000;

/** n8n's editor in a browser, signed in. */
export class Editor {
	private constructor(
		private readonly browser: Browser,
		private readonly context: BrowserContext,
		readonly page: Page,
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
		return new Editor(browser, context, page);
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
