export { default } from '../scripts/lint/tooling.eslint.mjs';
