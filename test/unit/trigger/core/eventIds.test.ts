import { isWholeText } from '../../../../nodes/Wherobots/trigger/core/ids';

/** The halves of one character, as JSON can carry them. */
const [FIRST, SECOND] = ['\uD83D', '\uDE00'];

test.each([
	['', true],
	['run-1', true],
	[FIRST + SECOND, true],
	[FIRST, false],
	[`run${FIRST}`, false],
	[SECOND, false],
	[`run${SECOND}`, false],
	[SECOND + FIRST, false],
])('%j is a whole text: %s', (text, expected) => {
	expect(isWholeText(text)).toBe(expected);
});
