import { defineConfig } from 'eslint/config';
import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';

import functionNames from './functionNames.mjs';

/** Our own rules for shipped code, beside n8n's, which have to stay as they are. */
export default defineConfig({
	files: ['**/*.ts'],
	languageOptions: { parser: tseslint.parser },
	plugins: { regexp, own: { rules: { 'function-names': functionNames } } },
	rules: {
		'own/function-names': 'error',
		// A comment that begins so says nothing without the one above it.
		'no-warning-comments': ['error', { terms: ['the same'], location: 'start' }],
		// A text from outside may be long, and no pattern may take longer than in proportion to it, because n8n
		// does nothing else meanwhile. `test/hostile/input/patterns.test.ts` looks for the worst text for each.
		'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
		// Patterns that are only tried at one place (`y`) do not move.
		'regexp/no-super-linear-move': ['error', { report: 'potential' }],
	},
});
