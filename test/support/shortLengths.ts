/**
 * Loaded before each test file: a list of the wrong length is shown by what tells its members apart, in
 * a few lines, and not with all that they hold.
 */
import { inspect } from 'node:util';

const SHOWN = 8;
const LONGEST = 160;

/** Members that say which record it is, or what became of a request. */
const TELLING = new Set([
	...['id', 'taskRunId', 'name', 'payload', 'status', 'state', 'eventId', 'message', 'error'],
	...['method', 'path', 'query', 'line', 'json', 'pairedItem'],
]);

function summarize(member: unknown): string {
	const isRecord = typeof member === 'object' && member !== null && !Array.isArray(member);
	const told = isRecord ? Object.entries(member).filter(([name]) => TELLING.has(name)) : [];
	const shown = told.length > 0 ? Object.fromEntries(told) : member;
	const text = inspect(shown, { depth: 2, breakLength: Infinity });
	return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

expect.extend({
	toHaveLength(received: { length: number } | undefined, expected: number) {
		const members = Array.isArray(received) ? received : [received];
		const lines = members.slice(0, SHOWN).map((member) => `  ${summarize(member)}`);
		const more = members.length > SHOWN ? [`  … and ${members.length - SHOWN} more`] : [];
		const title = `Expected length${this.isNot ? ' other than' : ''}: ${expected}`;
		return {
			pass: received?.length === expected,
			message: () => [`${title}, received: ${received?.length}`, ...lines, ...more].join('\n'),
		};
	},
});
