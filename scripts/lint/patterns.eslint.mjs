import { defineConfig } from 'eslint/config';
import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';

/**
 * One rule more for shipped code, beside n8n's own, which have to stay as they are: a text from outside
 * may be long, and no pattern may take longer than in proportion to it, because n8n does nothing else
 * meanwhile. `test/unit/package/patterns.test.ts` looks for the worst text for each of them.
 */
export default defineConfig({
	files: ['**/*.ts'],
	languageOptions: { parser: tseslint.parser },
	plugins: { regexp },
	rules: {
		'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
		// Patterns that are only tried at one place (`y`) do not move.
		'regexp/no-super-linear-move': ['error', { report: 'potential' }],
	},
});
