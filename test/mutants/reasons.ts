/** Why mistakes that no test notices may stay: they change nothing that anybody could see. */
export interface Reason {
	/** Below nodes/Wherobots. */
	file: string;
	/** Part of the mistake as the page shows it. */
	change: string;
	why: string;
}

const NOT_A_NUMBER = 'what is missing becomes NaN, and no comparison with it is true';
const NOTICED_NOW = 'noticed by a test that was added after this run';

export const REASONS: Reason[] = [
	{ file: 'trigger/core/state.ts', change: '!Array.isArray(entry) → false', why: NOTICED_NOW },
	{ file: 'trigger/core/watermark.ts', change: 'now !== undefined → true', why: NOT_A_NUMBER },
	{ file: 'trigger/core/watermark.ts', change: 'checkedAt === undefined', why: NOT_A_NUMBER },
	{ file: 'trigger/core/watermark.ts', change: 'newest === undefined → false', why: NOT_A_NUMBER },
	{ file: 'trigger/core/watermark.ts', change: 'now < checkedAt → now <=', why: NOTICED_NOW },
	{
		file: 'parameters/input.ts',
		change: "typeof value !== 'number' → false",
		why: 'only for the compiler: what is no number is no safe integer either',
	},
];
