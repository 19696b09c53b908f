/**
 * Where n8n-core keeps its settings, to be imported before it: neither the folder of a person's own n8n
 * nor the checkout. Its log would show names that are in no report.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const folder = mkdtempSync(path.join(tmpdir(), 'live-check-n8n-'));
process.env.N8N_USER_FOLDER = folder;
process.env.N8N_LOG_LEVEL = 'silent';
// Nothing is encrypted with it; without one, n8n says that it has made one.
process.env.N8N_ENCRYPTION_KEY = 'not used';
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
