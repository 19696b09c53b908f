export { default } from './lint/tooling.eslint.mjs';
