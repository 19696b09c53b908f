import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { REPOSITORY } from '../../../scripts/lib/paths';

const pages = readdirSync(path.join(REPOSITORY, 'docs'))
	.filter((name) => name.endsWith('.md'))
	.map((name) => path.join('docs', name));

// What n8n itself says of the recipes, the end-to-end tests ask.
it.each(['README.md', ...pages])('%s recommends nothing that n8n 3 has removed', (file) => {
	expect(readFileSync(path.join(REPOSITORY, file), 'utf8')).not.toMatch(
		/\$getPairedItem|Import from URL|\b(Function Item|Item Lists|LangChain Code|AI Transform)\b/i,
	);
});
