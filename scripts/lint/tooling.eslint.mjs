import { fileURLToPath } from 'node:url';

import js from '@eslint/js';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

/**
 * The lint rules for code that never ships: tests, sandbox, scripts and benchmarks.
 *
 * The root configuration holds the rules that n8n demands of shipped code (no file system, no
 * timers, no `process`), which a test or a script cannot keep. test/, scripts/ and bench/ each
 * re-export this file as their `eslint.config.mjs`; see docs/adr/0001-lint-rules-per-folder.md.
 */
export default defineConfig(
	globalIgnores(['**/node_modules/', '**/dist/']),
	{
		files: ['**/*.ts'],
		extends: [js.configs.recommended, tseslint.configs.recommended],
		languageOptions: {
			parserOptions: {
				project: fileURLToPath(new URL('../../test/tsconfig.json', import.meta.url)),
			},
		},
		rules: {
			// TypeScript itself reports unknown names, and knows more names.
			'no-undef': 'off',
			eqeqeq: 'error',
			'max-lines': ['error', { max: 400 }],
			'no-constant-binary-expression': 'error',
			// A promise that nobody awaits turns a failing test into a passing one.
			'@typescript-eslint/await-thenable': 'error',
			'@typescript-eslint/no-floating-promises': 'error',
			'@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: false }],
			'@typescript-eslint/only-throw-error': 'error',
			'@typescript-eslint/return-await': ['error', 'error-handling-correctness-only'],
			'@typescript-eslint/switch-exhaustiveness-check': [
				'error',
				{ considerDefaultExhaustiveForUnions: true },
			],
			'@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
			'@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
		},
	},
	{
		files: ['**/*.mjs', '**/*.js'],
		extends: [js.configs.recommended],
		languageOptions: {
			globals: {
				Buffer: 'readonly',
				URL: 'readonly',
				clearTimeout: 'readonly',
				console: 'readonly',
				fetch: 'readonly',
				process: 'readonly',
				setTimeout: 'readonly',
			},
		},
	},
	{
		files: ['**/*.test.ts'],
		rules: {
			'no-restricted-properties': [
				'error',
				...['describe', 'it', 'test'].flatMap((object) => [
					{ object, property: 'only', message: 'Leaves every other test out of the run.' },
				]),
			],
		},
	},
);
