import {
	truncate,
	clean,
	joinLines,
	toText,
	extractVisibleText,
} from '../../../nodes/Wherobots/transport/text';

describe('text from outside', () => {
	it.each([
		[' a\n\tb\u2028c \ud800 d ', 'a b c d'],
		['x'.repeat(500), 'x'.repeat(500)],
		['x'.repeat(501), `${'x'.repeat(500)}…`],
		[`${'x'.repeat(499)}🗺 and more`, `${'x'.repeat(499)}…`],
		[`${' '.repeat(3000)}late`, ''],
	])('becomes one short line: %#', (value, expected) => {
		expect(clean(value)).toBe(expected);
	});

	it('is cut without half a character at its end', () => {
		expect(truncate('ab🗺', 3)).toBe('ab…');
		expect(truncate('a\ud800bcd', 4)).toBe('a\ud800bc…');
		expect(truncate('abc', 3)).toBe('abc');
	});

	it('is a text or a number, or none', () => {
		expect([toText(' a '), toText(7), toText(null), toText(['a']), toText(true)]).toEqual([
			...['a', '7', '', '', ''],
		]);
		expect(joinLines('a', '', false, undefined, 'b')).toBe('a\nb');
	});

	it.each([
		['<p>a</p> b', ' a  b'],
		['a<script>x</script>b', 'a  b'],
		['a<STYLE type="x">x</style>b', 'a  b'],
		['a<script>x', 'a '],
		['a<scripts>b', 'a b'],
		['a<script</script>b', 'a  b'],
		['1 < 2', '1 < 2'],
	])('of the page %j is %j', (page, expected) => {
		expect(extractVisibleText(page)).toBe(expected);
	});

	it('of a page is looked for at its beginning', () => {
		expect(extractVisibleText('x'.repeat(70_000))).toHaveLength(64 * 1024);
	});
});
