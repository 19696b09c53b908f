import { N8nApi } from '../n8n/api';
import { type Session } from '../n8n/session';
import type { Kept } from './secrets';

/** Test files share nothing with the global setup but the environment. The address may be given. */
const URL_VARIABLE = 'N8N_NODES_WHEROBOTS_E2E_URL';
const SESSION_VARIABLE = 'N8N_NODES_WHEROBOTS_E2E_SESSION';
const PLACE_VARIABLE = 'N8N_NODES_WHEROBOTS_E2E_PLACE';

/** The n8n that all files of the suite use. */
export interface SharedN8n extends Partial<Kept> {
	url: string;
	/** Signed in as the owner, with an API key. */
	api: N8nApi;
	/** Ends it, if it was started for the suite. */
	stop(): Promise<void>;
}

const shared = globalThis as { e2eN8n?: SharedN8n };

/** Hands the suite's n8n to the test files. */
export function share(server: SharedN8n): void {
	shared.e2eN8n = server;
	process.env[URL_VARIABLE] = server.url;
	process.env[SESSION_VARIABLE] = JSON.stringify(server.api.session);
	const { userFolder, logFile } = server;
	if (userFolder && logFile) {
		process.env[PLACE_VARIABLE] = JSON.stringify({ userFolder, logFile } satisfies Kept);
	}
}

/** The n8n that `share` handed out, in the process that did. */
export function takeBack(): SharedN8n | undefined {
	return shared.e2eN8n;
}

/** Address of the suite's n8n. */
export function sharedUrl(): string {
	const url = process.env[URL_VARIABLE];
	if (!url) throw new Error('No n8n is running: start this with `npm run test:e2e`');
	return url;
}

/** The suite's n8n, with its owner signed in. */
export function sharedApi(): N8nApi {
	const session = JSON.parse(process.env[SESSION_VARIABLE] ?? 'null') as Session;
	return N8nApi.resume(sharedUrl(), session);
}

/** Where the suite's n8n keeps what it keeps, if that is on this machine. */
export function sharedPlace(): Kept | undefined {
	const place = process.env[PLACE_VARIABLE];
	return place === undefined ? undefined : (JSON.parse(place) as Kept);
}
