/**
 * What CHANGELOG.md says about a version, on standard output: `node scripts/releaseNotes.mjs 0.1.0`.
 * Plain JavaScript, because the release job installs nothing.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';

const version = process.argv[2];
const file = path.join(import.meta.dirname, '..', 'CHANGELOG.md');
const sections = readFileSync(file, 'utf8').split(/^## /m);
const section = sections.find((text) => text.split(/\s/, 1)[0] === version);
const [title, ...lines] = section?.split('\n') ?? [];
const notes = lines.join('\n').trim();
if (notes === '' || /unreleased/i.test(title)) {
	console.error(`CHANGELOG.md has no section for the release ${version}`);
	process.exit(1);
}
console.log(notes);
