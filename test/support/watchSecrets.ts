/**
 * Loaded before each suite of the engine and the hostile ones: no execution that their tests make may
 * leave a credential behind, in an output, an error or anything else that n8n would store.
 */
import { credentials } from '../sandbox/server/auth';
import { observeRuns } from '../engine/harness/engine';
import { everythingIn } from '../engine/harness/probe';

const SECRETS = Object.values(credentials).flatMap(({ apiKey, bearerToken }) => [
	apiKey,
	bearerToken,
]);

let found: string[] = [];
const stop = observeRuns((run) => {
	const all = everythingIn(run);
	found.push(...SECRETS.filter((secret) => all.includes(secret)));
});

afterEach(() => {
	const seen = new Set(found);
	found = [];
	if (seen.size > 0) throw new Error(`An execution shows a credential: ${[...seen].join(', ')}`);
});

afterAll(stop);
